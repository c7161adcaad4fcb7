// Made from the messages of the server by `python3 dev.py generate types`. Do not edit.

export type GameId = 'six' | 'buffalo' | 'x' | 'eleven' | 'baron';

export type RefusalCode =
  | 'no_such_seat'
  | 'match_over'
  | 'waiting_for_deal'
  | 'not_your_turn'
  | 'wrong_action'
  | 'not_in_hand'
  | 'no_such_row'
  | 'no_such_pile'
  | 'does_not_fit'
  | 'not_in_pool'
  | 'no_twist_card'
  | 'cannot_twist'
  | 'not_among_taken'
  | 'too_many_piles'
  | 'not_an_owner'
  | 'no_such_special'
  | 'special_not_possible'
  | 'nothing_proposed'
  | 'already_proposed'
  | 'too_many_proposals';

export type ErrorCode =
  | 'bad_request'
  | 'not_json'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_signed_in'
  | 'bad_token'
  | 'token_expired'
  | 'logged_out'
  | 'forbidden'
  | 'foreign_origin'
  | 'no_such_table'
  | 'no_such_link'
  | 'no_such_message'
  | 'table_closed'
  | 'not_waiting'
  | 'not_playing'
  | 'not_over'
  | 'not_host'
  | 'not_seated'
  | 'not_absent'
  | 'not_alone'
  | 'already_seated'
  | 'seat_taken'
  | 'no_such_seat'
  | 'table_full'
  | 'seats_empty'
  | 'removed'
  | 'blocked'
  | 'banned'
  | 'yourself'
  | 'unknown_level'
  | 'bad_name'
  | 'bad_options'
  | 'bad_action'
  | 'bad_subscription'
  | 'no_calls'
  | 'stale_decision'
  | 'stale_version'
  | 'key_reused'
  | 'not_practice'
  | 'no_hint'
  | 'nothing_to_take_back'
  | 'not_a_record'
  | 'bad_record'
  | 'unknown_rules'
  | 'not_proven'
  | 'chat_closed'
  | 'nothing_to_say'
  | 'too_many'
  | 'too_large'
  | 'busy'
  | 'unavailable'
  | 'server_error';

export type Note = PlayerJoined | Contributed | PlayerLeft | BotJoined | BotLeft | SeatsSwapped | MatchStarted | TimeRanOut | PlayerAway | PlayerBack | StandInWanted | TakeoverAllowed | SeatTakenOver | PaceSet | Unlisted | ChatSaid | ChatRemoved | HintGiven | DecisionTakenBack | RematchOffered | TableClosed | Decided;

export type SixAction =
  | SixPlayCard
  | SixChooseRow
  | SixDraftCard;

export type SixEvent =
  | RoundDealt
  | SixDraftBegun
  | SixCardDrafted
  | SixRowsStarted
  | SixMarkersLaid
  | SixCardChosen
  | SixCardsRevealed
  | CardPlaced
  | SixCowJumped
  | SixMarkerMoved
  | RoundEnded
  | MatchEnded;

export type BuffaloAction =
  | BuffaloPlayCard
  | BuffaloChooseRow
  | BuffaloSwapCard
  | BuffaloPropose
  | BuffaloAgree
  | BuffaloDecline
  | BuffaloWithdraw
  | BuffaloPass
  | BuffaloUse;

export type BuffaloEvent =
  | RoundDealt
  | BuffaloSpecialsRevealed
  | CardChosen
  | BuffaloCardsRevealed
  | BuffaloSpecialProposed
  | BuffaloProposalAgreed
  | BuffaloProposalDeclined
  | BuffaloProposalWithdrawn
  | BuffaloSeatPassed
  | BuffaloSpecialUsed
  | BuffaloSpecialRemoved
  | BuffaloCardTakenBack
  | BuffaloCardSwapped
  | BuffaloCardInserted
  | BuffaloCardPushed
  | BuffaloOrderChanged
  | BuffaloCardPlaced
  | BuffaloPointsCounted
  | MatchEnded;

export type XAction =
  | XPlayCard
  | XChooseRow
  | XKeepCard;

export type XEvent =
  | RoundDealt
  | CardChosen
  | XCardsRevealed
  | CardPlaced
  | XCardKept
  | XHandsCounted
  | RoundEnded
  | MatchEnded;

export type ElevenAction =
  | ElevenLayCard
  | ElevenEndTurn
  | ElevenTakePile
  | ElevenChooseGiver;

export type ElevenEvent =
  | ElevenHandsDealt
  | ElevenPilesOpened
  | ElevenCardLaid
  | ElevenTurnEnded
  | ElevenPileTaken
  | ElevenBullCardGained
  | ElevenBullCardMissed
  | ElevenHandsShown
  | RoundEnded
  | MatchEnded;

export type BaronAction =
  | BaronPlayCard
  | BaronChooseRow;

export type BaronEvent =
  | RoundDealt
  | CardChosen
  | BaronCardsRevealed
  | BaronCardPlaced
  | BaronCardReturned
  | BaronCardsDrawn
  | BaronStoodStill
  | BaronLeftCounted
  | RoundEnded
  | MatchEnded;

/** How a result came about. The first four add up to the last. */
export interface Account {
  readonly mean: number;
  readonly deal_luck: number;
  readonly turn_luck: number;
  readonly decisions: number;
  readonly result: number;
}

export interface Act {
  readonly action: Readonly<Record<string, unknown>>;
  readonly decision?: number | null;
}

/** Where people at other machines reach this server, if it knows. */
export interface Address {
  readonly url: string | null;
}

/** What the worlds say about one action. */
export interface Advice {
  readonly action: unknown;
  readonly points: number;
  readonly error: number;
  readonly cost: number;
  readonly cost_error: number;
  readonly risk: number;
  readonly win: number;
  readonly best: boolean;
  readonly close: boolean;
  readonly facts: Prospect;
  readonly reason: string;
}

export interface AllowTakeover {
  readonly allowed: boolean;
}

/** A seat that is being waited for, and until when. */
export interface Awaited {
  readonly seat: number;
  readonly deadline: number | null;
}

/** A card lies in its row. `colours` are those of which the row and the card together show six or more. */
export interface BaronCardPlaced {
  readonly type: 'CardPlaced';
  readonly seat: number;
  readonly card: number;
  readonly row: number;
  readonly taken: readonly number[];
  readonly bulls: number;
  readonly rule: string;
  readonly colours: readonly ('black' | 'blue' | 'green' | 'red' | 'white' | 'yellow')[];
}

/** Variant 2: a card that fits no row lies face down under its owner's draw pile; all have seen which. */
export interface BaronCardReturned {
  readonly type: 'CardReturned';
  readonly seat: number;
  readonly card: number;
  readonly rule: string;
}

/** Empty hands are filled again: all see how many cards are drawn, and each seat its own. */
export interface BaronCardsDrawn {
  readonly type: 'CardsDrawn';
  readonly sizes: readonly number[];
  readonly drawn: readonly (readonly number[] | null)[];
}

/** All cards of the turn, in the order in which they will be placed. */
export interface BaronCardsRevealed {
  readonly type: 'CardsRevealed';
  readonly plays: readonly BaronPlay[];
}

/** Add the own card to this row, or take it if the card fits no row (rule 3). */
export interface BaronChooseRow {
  readonly type: 'ChooseRow';
  readonly row: number;
}

/** The bulls on every card, as an owner of the box can write them down. */
export interface BaronDeck {
  readonly name: string;
  readonly note: string;
  readonly cards: Readonly<Record<string, readonly ('black' | 'blue' | 'green' | 'red' | 'white' | 'yellow')[]>>;
}

/** Variant 2: what is left in hands and draw piles is laid open, and its bulls count against its owner. */
export interface BaronLeftCounted {
  readonly type: 'LeftCounted';
  readonly left: readonly (readonly number[])[];
  readonly bulls: readonly number[];
}

export interface BaronOptions {
  readonly colour_counts: boolean;
  readonly bulls_are_good: boolean;
  readonly games: number;
  readonly deck: BaronDeck | null;
}

/** A card that a seat plays this turn. */
export interface BaronPlay {
  readonly seat: number;
  readonly card: number;
}

/** Choose a card in secret; may be changed until all have chosen. */
export interface BaronPlayCard {
  readonly type: 'PlayCard';
  readonly card: number;
}

/** Variant 2: the game ends because no card finds a row any more. */
export interface BaronStoodStill {
  readonly type: 'StoodStill';
  readonly turns: number;
}

/** All that everybody can see, or has seen and can remember. */
export interface BaronTable {
  readonly options: BaronOptions;
  readonly seats: number;
  readonly phase: 'choose' | 'deal' | 'over' | 'row';
  readonly round: number;
  readonly rows: readonly (readonly number[])[];
  readonly queue: readonly BaronPlay[];
  readonly bulls: readonly number[];
  readonly piles: readonly (readonly number[])[];
  readonly returned: readonly (readonly number[])[];
  readonly known: readonly (readonly number[])[];
  readonly idle: number;
  readonly left: readonly (readonly number[])[];
  readonly scores: readonly (readonly number[])[];
}

/** What a seat may know; a spectator has no seat and no hand. */
export interface BaronView {
  readonly seat: number | null;
  readonly table: BaronTable;
  readonly hand: readonly number[];
  readonly choice: number | null;
  readonly waiting: readonly number[];
  readonly hand_sizes: readonly number[];
  readonly draw_sizes: readonly number[];
}

export interface BotInfo {
  readonly level: string;
  readonly description: string;
}

export interface BotJoined {
  readonly type: 'BotJoined';
  readonly seat: number;
  readonly level: string;
}

export interface BotLeft {
  readonly type: 'BotLeft';
  readonly seat: number;
}

/** `id` is that of a table where the match is over; the same record has the same one. */
export interface BroughtMatch {
  readonly id: string;
}

export interface BuffaloAgree {
  readonly type: 'Agree';
}

/** A card went between others. A full row is taken but for its last card, which is kept. */
export interface BuffaloCardInserted {
  readonly type: 'CardInserted';
  readonly seat: number;
  readonly card: number;
  readonly row: number;
  readonly taken: readonly number[];
  readonly bulls: number;
  readonly kept: number | null;
  readonly rule: string;
}

/** As in the other games; the seat of the buffalo's card is -1. */
export interface BuffaloCardPlaced {
  readonly type: 'CardPlaced';
  readonly seat: number;
  readonly card: number;
  readonly row: number;
  readonly taken: readonly number[];
  readonly bulls: number;
  readonly rule: string;
}

/** A card moved from row to row. A full row is taken but for its last card, which is kept. */
export interface BuffaloCardPushed {
  readonly type: 'CardPushed';
  readonly card: number;
  readonly from_row: number;
  readonly row: number;
  readonly taken: readonly number[];
  readonly bulls: number;
  readonly kept: number | null;
  readonly rule: string;
}

/** The card that is played instead of the one taken back. */
export interface BuffaloCardSwapped {
  readonly type: 'CardSwapped';
  readonly seat: number;
  readonly card: number;
}

export interface BuffaloCardTakenBack {
  readonly type: 'CardTakenBack';
  readonly seat: number;
  readonly card: number;
}

/** All cards of the turn, the buffalo's included, in the order in which they will be placed. */
export interface BuffaloCardsRevealed {
  readonly type: 'CardsRevealed';
  readonly plays: readonly BuffaloPlay[];
}

/** Rule 4: take this row for the team. */
export interface BuffaloChooseRow {
  readonly type: 'ChooseRow';
  readonly row: number;
}

/** One seat that declines is enough to drop the proposal. */
export interface BuffaloDecline {
  readonly type: 'Decline';
}

export interface BuffaloFirst {
  readonly type: 'First';
  readonly seat: number;
}

/** The next card goes into this row; the ascending order says where. */
export interface BuffaloInsert {
  readonly type: 'Insert';
  readonly row: number;
}

export interface BuffaloLast {
  readonly type: 'Last';
  readonly seat: number;
}

/** Take the Stop! away from a row; no card is spent for it. */
export interface BuffaloLift {
  readonly type: 'Lift';
  readonly row: number;
}

export interface BuffaloOptions {
  readonly decide: 'agree' | 'anyone';
  readonly proposals: number;
}

/** All cards still to be placed, in their new order. */
export interface BuffaloOrderChanged {
  readonly type: 'OrderChanged';
  readonly plays: readonly BuffaloPlay[];
}

/** Wish for nothing (more) as things stand; holds until a special card is used or a card placed. */
export interface BuffaloPass {
  readonly type: 'Pass';
}

/** A card and whose it is: a seat's or the buffalo's. */
export interface BuffaloPlay {
  readonly seat: number;
  readonly card: number;
}

/** Choose a card in secret; may be changed until all have chosen. */
export interface BuffaloPlayCard {
  readonly type: 'PlayCard';
  readonly card: number;
}

/** The end: a small team's bulls count twice. */
export interface BuffaloPointsCounted {
  readonly type: 'PointsCounted';
  readonly bulls: number;
  readonly doubled: boolean;
  readonly team: number;
  readonly buffalo: number;
}

export interface BuffaloProposal {
  readonly seat: number;
  readonly use: BuffaloTake7 | BuffaloStop | BuffaloLift | BuffaloSwap | BuffaloInsert | BuffaloPush | BuffaloFirst | BuffaloLast | BuffaloSort;
  readonly agreed: readonly number[];
}

export interface BuffaloProposalAgreed {
  readonly type: 'ProposalAgreed';
  readonly seat: number;
}

export interface BuffaloProposalDeclined {
  readonly type: 'ProposalDeclined';
  readonly seat: number;
}

export interface BuffaloProposalWithdrawn {
  readonly type: 'ProposalWithdrawn';
  readonly seat: number;
}

/** Suggest to use a special card; it happens when all others agree. */
export interface BuffaloPropose {
  readonly type: 'Propose';
  readonly use: BuffaloTake7 | BuffaloStop | BuffaloLift | BuffaloSwap | BuffaloInsert | BuffaloPush | BuffaloFirst | BuffaloLast | BuffaloSort;
}

/** A card that lies in a row moves to this row; the ascending order says where. */
export interface BuffaloPush {
  readonly type: 'Push';
  readonly card: number;
  readonly row: number;
}

export interface BuffaloSeatPassed {
  readonly type: 'SeatPassed';
  readonly seat: number;
}

/** The owners of all cards still to be placed, in their new order; the buffalo is -1. */
export interface BuffaloSort {
  readonly type: 'Sort';
  readonly order: readonly number[];
}

export interface BuffaloSpecialProposed {
  readonly type: 'SpecialProposed';
  readonly seat: number;
  readonly use: BuffaloTake7 | BuffaloStop | BuffaloLift | BuffaloSwap | BuffaloInsert | BuffaloPush | BuffaloFirst | BuffaloLast | BuffaloSort;
}

/** A special card that lay at a row has left the game. */
export interface BuffaloSpecialRemoved {
  readonly type: 'SpecialRemoved';
  readonly kind: 'First' | 'Insert' | 'Last' | 'Push' | 'Sort' | 'Stop' | 'Swap' | 'Take7';
  readonly row: number;
}

/** The seat that proposed it, or acted alone, and what the team uses. */
export interface BuffaloSpecialUsed {
  readonly type: 'SpecialUsed';
  readonly seat: number;
  readonly use: BuffaloTake7 | BuffaloStop | BuffaloLift | BuffaloSwap | BuffaloInsert | BuffaloPush | BuffaloFirst | BuffaloLast | BuffaloSort;
}

/** Special cards that lie face up from now on. */
export interface BuffaloSpecialsRevealed {
  readonly type: 'SpecialsRevealed';
  readonly kinds: readonly ('First' | 'Insert' | 'Last' | 'Push' | 'Sort' | 'Stop' | 'Swap' | 'Take7')[];
  readonly face_up: readonly number[];
}

export interface BuffaloStop {
  readonly type: 'Stop';
  readonly row: number;
}

export interface BuffaloSwap {
  readonly type: 'Swap';
  readonly seat: number;
}

/** Swap!: play this card instead of the one taken back. */
export interface BuffaloSwapCard {
  readonly type: 'SwapCard';
  readonly card: number;
}

/** All that everybody can see, or has seen and can remember. */
export interface BuffaloTable {
  readonly options: BuffaloOptions;
  readonly seats: number;
  readonly phase: 'choose' | 'deal' | 'over' | 'row' | 'swap' | 'window';
  readonly turn: number;
  readonly rows: readonly (readonly number[])[];
  readonly beside: readonly (readonly number[])[];
  readonly queue: readonly BuffaloPlay[];
  readonly known: readonly BuffaloPlay[];
  readonly face_up: readonly number[];
  readonly used: readonly number[];
  readonly window: BuffaloWindow | null;
  readonly pile: readonly number[];
  readonly bulls: number;
  readonly buffalo_taken: number;
  readonly buffalo_bulls: number;
  readonly taken: readonly number[];
  readonly declined: readonly (BuffaloTake7 | BuffaloStop | BuffaloLift | BuffaloSwap | BuffaloInsert | BuffaloPush | BuffaloFirst | BuffaloLast | BuffaloSort)[];
  readonly rules_version: number;
}

export interface BuffaloTake7 {
  readonly type: 'Take7';
  readonly row: number;
}

/** Use a special card without asking, where the options allow it. */
export interface BuffaloUse {
  readonly type: 'Use';
  readonly use: BuffaloTake7 | BuffaloStop | BuffaloLift | BuffaloSwap | BuffaloInsert | BuffaloPush | BuffaloFirst | BuffaloLast | BuffaloSort;
}

/** What a seat may know; a spectator has no seat and no hand. */
export interface BuffaloView {
  readonly seat: number | null;
  readonly table: BuffaloTable;
  readonly hand: readonly number[];
  readonly choice: number | null;
  readonly waiting: readonly number[];
  readonly hand_sizes: readonly number[];
  readonly buffalo_size: number;
  readonly specials_left: number;
}

/** A moment between two placements in which the team may use special cards. */
export interface BuffaloWindow {
  readonly passed: readonly boolean[];
  readonly proposals: readonly number[];
  readonly proposal: BuffaloProposal | null;
  readonly stopped: readonly number[];
}

/** Take the own proposal back. */
export interface BuffaloWithdraw {
  readonly type: 'Withdraw';
}

/** Hours for each decision: a match over days. */
export interface ByTurns {
  readonly kind: 'turns';
  readonly hours: number;
}

/** `key` is what browsers subscribe with; null if this server calls nobody. */
export interface CallsInfo {
  readonly key: string | null;
  readonly subscriptions: readonly SubscriptionInfo[];
}

/** A seat has chosen a card in secret: only the seat knows which. */
export interface CardChosen {
  readonly type: 'CardChosen';
  readonly seat: number;
  readonly card: number | null;
}

/** A card lies in its row; whatever it took is in its owner's pile. `rule` says why it went like this. */
export interface CardPlaced {
  readonly type: 'CardPlaced';
  readonly seat: number;
  readonly card: number;
  readonly row: number;
  readonly taken: readonly number[];
  readonly bulls: number;
  readonly rule: string;
}

/** Who sits on a seat. `away` says why a bot decides for a person at the moment, `missed` for how many decisions in a row a person's time ran out, `program` that a bot plays there which somebody wrote. */
export interface Chair {
  readonly kind: 'bot' | 'empty' | 'person';
  readonly name: string;
  readonly level: string | null;
  readonly away: 'absent' | 'left' | 'time' | null;
  readonly missed: number;
  readonly program: boolean;
  readonly pace: 'fast' | 'instant' | 'normal' | 'slow';
  readonly wanting_stand_in: readonly number[];
  readonly contributed: boolean;
}

/** Whoever runs the server has taken the message with number `n` away: nobody is told it any more. */
export interface ChatRemoved {
  readonly type: 'ChatRemoved';
  readonly n: number;
}

/** `n` is the number of the message: with it a message can be reported, and its author muted or blocked. `phrase` is the code of what is said with one tap, for whoever has words of their own for it; the text says it in English. */
export interface ChatSaid {
  readonly type: 'ChatSaid';
  readonly n: number;
  readonly name: string;
  readonly seat: number | null;
  readonly text: string;
  readonly phrase?: string | null;
}

export interface ClearSeat {
  readonly expected?: number | null;
  readonly seat: number;
}

/** What the coach of a practice table did for a seat: decisions with a hint, decisions taken back. */
export interface Coached {
  readonly hints: number;
  readonly take_backs: number;
}

/** A part of the list, and how long all of it is. */
export interface CommitmentList {
  readonly entries: readonly ListedCommitment[];
  readonly length: number;
  readonly head: string;
}

export interface Contribute {
  readonly contribution: string;
}

/** A seat has added something to the shuffle, or something else than before. What, is told at the start. */
export interface Contributed {
  readonly type: 'Contributed';
  readonly seat: number;
}

/** `fair` is how many of the matches somebody would win who is as good as the others; it leaves out those in which all win or lose together. */
export interface Counts {
  readonly matches: number;
  readonly wins: number;
  readonly contested: number;
  readonly contested_wins: number;
  readonly fair: number;
  readonly rounds: number;
}

/** One match in the course of time. */
export interface CoursePoint {
  readonly id: string;
  readonly game: string;
  readonly ended: number;
  readonly high_wins: boolean;
  readonly points: number;
  readonly rounds: number;
  readonly won: boolean;
}

/** The recorded fact that answers a request: the same decks, each in the order it was dealt. */
export interface Deal {
  readonly decks: Readonly<Record<string, readonly number[]>>;
}

/** A seat has decided something; the events say what, as far as the reader may know it. */
export interface Decided {
  readonly type: 'Decided';
  readonly seat: number;
  readonly by_bot: boolean;
}

/** At a practice table: the match goes on from where this seat decided last, as if nothing had happened since. How things were then comes with the situation. */
export interface DecisionTakenBack {
  readonly type: 'DecisionTakenBack';
  readonly seat: number;
}

/** A device that came by a link. */
export interface DeviceInfo {
  readonly id: string;
  readonly since: number;
}

/** `n` is the number of the last message that the command brought about. */
export interface Done {
  readonly n: number;
}

/** A bull card, from the supply or, when that is empty, from a player. */
export interface ElevenBullCardGained {
  readonly type: 'BullCardGained';
  readonly seat: number;
  readonly giver: number | null;
  readonly rule: string;
}

/** No bull card is left in the supply and nobody else has as many as the taker. */
export interface ElevenBullCardMissed {
  readonly type: 'BullCardMissed';
  readonly seat: number;
  readonly rule: string;
}

/** A card lies on a pile and covers the card `on`. */
export interface ElevenCardLaid {
  readonly type: 'CardLaid';
  readonly seat: number;
  readonly card: number;
  readonly pile: number;
  readonly on: number;
  readonly rule: string;
}

/** Say which of the seats with the most bull cards gives one away. */
export interface ElevenChooseGiver {
  readonly type: 'ChooseGiver';
  readonly seat: number;
}

/** Lay no more cards this turn. */
export interface ElevenEndTurn {
  readonly type: 'EndTurn';
}

/** A round begins: a hand for each seat to see alone. */
export interface ElevenHandsDealt {
  readonly type: 'HandsDealt';
  readonly round: number;
  readonly starter: number;
  readonly hands: readonly (readonly number[] | null)[];
}

/** The round is over: what is left in the hands lies open and is counted. */
export interface ElevenHandsShown {
  readonly type: 'HandsShown';
  readonly hands: readonly (readonly number[])[];
  readonly bulls: readonly number[];
  readonly rule: string;
}

/** Cards laid on one pile in the turn that is going on, and the top that they are measured from. */
export interface ElevenLaid {
  readonly pile: number;
  readonly on: number;
  readonly cards: readonly number[];
}

/** Lay a card on a pile. Without bull cards that is the whole turn. */
export interface ElevenLayCard {
  readonly type: 'LayCard';
  readonly card: number;
  readonly pile: number;
}

export interface ElevenOptions {
  readonly starter: number;
  readonly rounds: number | null;
}

/** A pile is in a hand now. All see how many cards it had, only the taker sees which. */
export interface ElevenPileTaken {
  readonly type: 'PileTaken';
  readonly seat: number;
  readonly pile: number;
  readonly top: number;
  readonly count: number;
  readonly cards: readonly number[] | null;
  readonly rule: string;
}

/** Cards from the draw pile lie open as new piles; `pile` is the number of the first of them. */
export interface ElevenPilesOpened {
  readonly type: 'PilesOpened';
  readonly cards: readonly number[];
  readonly pile: number;
}

/** All that everybody can see, or has seen and can remember. How high the piles are is not among it. */
export interface ElevenTable {
  readonly options: ElevenOptions;
  readonly seats: number;
  readonly phase: 'deal' | 'giver' | 'over' | 'turn';
  readonly round: number;
  readonly starter: number;
  readonly turn: number;
  readonly tops: readonly number[];
  readonly draw_left: number;
  readonly hand_sizes: readonly number[];
  readonly bull_cards: readonly number[];
  readonly supply: number;
  readonly laid: readonly ElevenLaid[];
  readonly seen: readonly number[];
  readonly seen_in_hand: readonly number[];
  readonly known: readonly (readonly number[])[];
  readonly shown: readonly (readonly number[])[];
  readonly scores: readonly (readonly number[])[];
}

/** Take a whole pile into the hand instead of laying. */
export interface ElevenTakePile {
  readonly type: 'TakePile';
  readonly pile: number;
}

/** A seat with bull cards has laid all that it wants to. */
export interface ElevenTurnEnded {
  readonly type: 'TurnEnded';
  readonly seat: number;
}

/** What a seat may know; a spectator has no seat and no hand. */
export interface ElevenView {
  readonly seat: number | null;
  readonly table: ElevenTable;
  readonly hand: readonly number[];
}

/** Every error looks like this. The codes are stable; `retry_after` are seconds. */
export interface ErrorAnswer {
  readonly error: ErrorBody;
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly retry_after?: number | null;
}

/** A command for the table as it was at message `expected`; refused if something has happened since. */
export interface Expecting {
  readonly expected?: number | null;
}

/** What a special card brought that was used by a decision, compared with going on without it. */
export interface Extra {
  readonly what: string;
  readonly gain: number;
  readonly error: number;
  readonly win_gain: number;
}

/** What makes the deals provable: a commitment from the start, what the seats contribute after it, and the seed itself when the match is over. `listed` is the number of the commitment in the server's list; tables from before there was a list have none. */
export interface Fair {
  readonly commitment: string;
  readonly server_seed: string | null;
  readonly contributions: readonly string[];
  readonly listed: number | null;
}

/** What proves the deals. The seed is None until the match is over; its commitment is known from the start. */
export interface Fairness {
  readonly algorithm: string;
  readonly commitment: string;
  readonly server_seed: string | null;
  readonly contributions: readonly string[];
}

/** Where some actions would bring a card as the table stands, what it would take there, and the rule that says so. An action that is in several of them leaves a choice. */
export interface Foresight {
  readonly actions: readonly number[];
  readonly place: number | null;
  readonly rule: string;
  readonly takes?: readonly number[];
  readonly bulls?: number;
}

/** The token itself is shown only now. */
export interface FreshToken {
  readonly token: string;
  readonly info: TokenInfo;
}

/** One game, and where points are good in some matches and bad in others, one of the two. */
export interface GameCounts {
  readonly game: string;
  readonly high_wins: boolean;
  readonly takes: 'piles' | 'rows' | null;
  readonly counts: Counts;
  readonly points: number;
  readonly taken: number;
  readonly best: number;
}

export interface GameInfo {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly min_seats: number;
  readonly max_seats: number;
  readonly variants: readonly VariantInfo[];
  readonly options: readonly OptionInfo[];
  readonly rules: Readonly<Record<string, string>>;
  readonly decisions: Readonly<Record<string, string>>;
  readonly minutes: number | null;
}

/** A person who is not connected, and since when (milliseconds of the epoch). */
export interface Gone {
  readonly seat: number;
  readonly since: number;
}

/** What a coach says to a seat that has to decide: it knows no more than that seat. */
export interface Hint {
  readonly game: string;
  readonly seat: number;
  readonly evaluator: string;
  readonly worlds: number;
  readonly exact: boolean;
  readonly high_wins: boolean;
  readonly actions: readonly Advice[];
}

/** The coach of a practice table has said something to a seat. */
export interface HintGiven {
  readonly type: 'HintGiven';
  readonly seat: number;
}

export interface Join {
  readonly seat?: number | null;
  readonly contribution?: string;
  readonly pace?: 'fast' | 'instant' | 'normal' | 'slow' | null;
}

/** One decision, judged by what its seat could know. `docs/review.md` says what it means. */
export interface JudgedDecision {
  readonly seat: number;
  readonly number: number;
  readonly round: number;
  readonly turn: number;
  readonly action: unknown;
  readonly best: unknown;
  readonly cost: number;
  readonly error: number;
  readonly win_cost: number;
  readonly win_error: number;
  readonly stake: number;
  readonly named: boolean;
  readonly kind: 'later' | 'put_off' | 'row' | 'standings' | 'taken' | 'too_low' | null;
  readonly exact: boolean;
  readonly reason: string;
  readonly facts: Reason;
  readonly expected: number;
  readonly chance: number;
  readonly values: readonly Tried[];
  readonly extra: Extra | null;
}

/** How often a kind of mistake was made, and what it cost: points, and chances to win. */
export interface KindCount {
  readonly kind: 'later' | 'put_off' | 'row' | 'standings' | 'taken' | 'too_low';
  readonly count: number;
  readonly lost: number;
  readonly win_lost: number;
}

/** A lesson in a list. */
export interface LessonInfo {
  readonly game: string;
  readonly id: string;
  readonly title: Text;
  readonly about: Text;
  readonly minutes: number;
  readonly steps: number;
}

/** A whole lesson, from the learner's seat. */
export interface LessonScript {
  readonly info: LessonInfo;
  readonly table: TableInfo;
  readonly steps: readonly LessonStep[];
}

/** Something to learn. `start` is the table set up anew, or null where the step goes on from the one before. */
export interface LessonStep {
  readonly say: Text;
  readonly rules: readonly string[];
  readonly why: Text | null;
  readonly hint: Text | null;
  readonly start: Situation | null;
  readonly before: readonly Update[];
  readonly accepted: readonly unknown[];
  readonly outcomes: readonly (readonly Update[])[];
}

/** Append it to `/carry#` for a link that carries a guest's seats to another device, once. */
export interface LinkCode {
  readonly code: string;
}

/** An entry as the server shows it, with what became of it. That is proven by the seed and needs no chain. */
export interface ListedCommitment {
  readonly index: number;
  readonly table: string;
  readonly commitment: string;
  readonly at: number;
  readonly previous: string;
  readonly hash: string;
  readonly state: 'never' | 'opened' | 'sealed';
  readonly server_seed: string | null;
}

/** Seconds for each decision. */
export interface Live {
  readonly kind: 'live';
  readonly seconds: number;
}

export interface MatchEnded {
  readonly type: 'MatchEnded';
  readonly outcome: Outcome;
}

/** Who sat on a seat, and how it ended for them. */
export interface MatchSeat {
  readonly kind: 'bot' | 'person' | 'program';
  readonly name: string;
  readonly level: string | null;
  readonly points: number;
  readonly place: number | null;
  readonly won: boolean;
}

export interface MatchStarted {
  readonly type: 'MatchStarted';
  readonly contributions: readonly string[];
}

export interface Me {
  readonly id: string;
  readonly name: string;
}

export interface NewGuest {
  readonly name: string;
}

export interface NewReport {
  readonly n?: number | null;
  readonly seat?: number | null;
  readonly comment?: string;
}

export interface NewTable {
  readonly game: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly seats: number;
  readonly public?: boolean;
  readonly tempo?: NoClock | Live | ByTurns;
  readonly join?: boolean;
  readonly bots?: readonly (string | null)[];
  readonly start?: boolean;
  readonly pace?: 'fast' | 'instant' | 'normal' | 'slow' | null;
  readonly takeover?: boolean;
  readonly practice?: boolean;
}

export interface NewToken {
  readonly name: string;
  readonly scopes?: readonly ('play' | 'read' | 'tables')[];
  readonly expires_in_days?: number;
}

/** Everybody takes the time they need. */
export interface NoClock {
  readonly kind: 'none';
}

/** The hands of all seats after message `n`, told when the match is over. */
export interface OpenHands {
  readonly n: number;
  readonly hands: readonly (readonly number[])[];
}

/** `commitment` is the hash of the seed for the shuffle, `listed` the number of its entry in `/api/commitments`. Contribute to the shuffle when you have kept it: see `docs/shuffle.md`. */
export interface OpenedTable {
  readonly id: string;
  readonly commitment: string;
  readonly listed: number | null;
  readonly warnings: readonly string[];
}

/** Somebody you played with, as they were called the last time; all bots of a level are one. `ahead` is how often you had the better points, which says nothing where all win or lose together. */
export interface Opponent {
  readonly kind: 'bot' | 'person' | 'program';
  readonly name: string;
  readonly level: string | null;
  readonly matches: number;
  readonly contested: number;
  readonly ahead: number;
  readonly wins: number;
}

export interface OptionInfo {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly default: unknown;
  readonly choices: readonly string[];
  readonly least: number | null;
  readonly most: number | null;
  readonly optional: boolean;
}

/** How a match ended: why, who won (several share a win, nobody may), and everybody's points in total. */
export interface Outcome {
  readonly reason: string;
  readonly winners: readonly number[];
  readonly points: readonly number[];
}

/** A finished match of yours. `counted` says whether it counts in statistics: a bot made less than half of your decisions, and it was not for practice. */
export interface OwnMatch {
  readonly id: string;
  readonly game: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly variant: string | null;
  readonly tempo: NoClock | Live | ByTurns;
  readonly began: number;
  readonly ended: number;
  readonly rounds: number;
  readonly seat: number;
  readonly seats: readonly MatchSeat[];
  readonly takes: number;
  readonly counted: boolean;
  readonly practice: boolean;
  readonly hints: number;
  readonly take_backs: number;
}

/** Some of your matches, the latest first. `total` of them fit, and there are `all` in all; `pending` more ended before there were statistics and are being counted now: ask again soon. */
export interface OwnMatches {
  readonly matches: readonly OwnMatch[];
  readonly total: number;
  readonly all: number;
  readonly pending: number;
}

/** What the reviews of your latest matches say about your decisions. `looked_at` of your matches fit, 100 at most; `reviewed` of them have a whole review of your seat. */
export interface OwnMistakes {
  readonly looked_at: number;
  readonly reviewed: number;
  readonly judged: number;
  readonly lost: number;
  readonly accuracy: number;
  readonly kinds: readonly KindCount[];
}

export interface OwnStatistics {
  readonly counts: Counts;
  readonly uncounted: number;
  readonly practice: number;
  readonly games: readonly GameCounts[];
  readonly seats: readonly SeatsCounts[];
  readonly against: readonly Opponent[];
  readonly course: readonly CoursePoint[];
  readonly variants: Readonly<Record<string, readonly string[]>>;
  readonly pending: number;
}

export interface PaceSet {
  readonly type: 'PaceSet';
  readonly seat: number;
  readonly pace: 'fast' | 'instant' | 'normal' | 'slow';
}

/** A bot decides for this seat until the person is back. */
export interface PlayerAway {
  readonly type: 'PlayerAway';
  readonly seat: number;
  readonly reason: 'absent' | 'left' | 'time';
}

export interface PlayerBack {
  readonly type: 'PlayerBack';
  readonly seat: number;
}

export interface PlayerJoined {
  readonly type: 'PlayerJoined';
  readonly seat: number;
  readonly name: string;
}

/** Before the start: the seat is free again. */
export interface PlayerLeft {
  readonly type: 'PlayerLeft';
  readonly seat: number;
  readonly name: string;
  readonly removed: boolean;
}

/** Who of the people at the table is not there. Comes with a socket's first message and whenever it changes; it has no number, as it is not part of what happened. */
export interface Presence {
  readonly type: 'Presence';
  readonly at: number;
  readonly gone: readonly Gone[];
}

/** What the worlds say about one action. */
export interface Prospect {
  readonly what: string;
  readonly takes: number;
  readonly price: number;
  readonly rest: number;
  readonly soon: number;
}

/** What an answer was worth, and everything else. */
export interface PuzzleAnswer {
  readonly right: boolean;
  readonly best: unknown;
  readonly reason: string;
  readonly options: readonly PuzzleOption[];
  readonly difficulty: number;
  readonly evaluator: string;
  readonly worlds: number;
}

/** The puzzles of a day by UTC, one for each game; one of them is the day's. */
export interface PuzzleDay {
  readonly date: string;
  readonly first: string;
  readonly today: string;
  readonly game: string;
  readonly puzzles: readonly PuzzleInfo[];
}

/** A puzzle in a list. */
export interface PuzzleInfo {
  readonly game: string;
  readonly id: string;
  readonly difficulty: 'easy' | 'hard' | 'medium';
  readonly seats: number;
  readonly variant: string;
}

/** A legal action and what it is worth. */
export interface PuzzleOption {
  readonly action: unknown;
  readonly value: number;
  readonly cost: number;
  readonly error: number;
  readonly label: string;
  readonly why: string;
}

/** A puzzle before it is answered. Nothing in it says what is best. */
export interface PuzzleSheet {
  readonly info: PuzzleInfo;
  readonly table: TableInfo;
  readonly situation: Situation;
}

/** From one minute of the day to another; over midnight if that is earlier. The same twice is never. */
export interface Quiet {
  readonly start: number;
  readonly end: number;
}

export interface Reason {
  readonly done: Prospect;
  readonly best: Prospect;
}

export interface RematchOffered {
  readonly type: 'RematchOffered';
  readonly table: string;
}

/** A review of one seat, as far as it has come: `done` of `rounds` are judged, and it goes on while you ask. `decisions` are those behind the first ones that you know already. */
export interface ReviewStatus {
  readonly rounds: number;
  readonly done: number;
  readonly evaluator: string | null;
  readonly review: SeatReview | null;
  readonly decisions: readonly JudgedDecision[];
}

/** A round begins: the first cards of the rows for all, a hand for each seat to see alone. */
export interface RoundDealt {
  readonly type: 'RoundDealt';
  readonly round: number;
  readonly rows: readonly (readonly number[])[];
  readonly hands: readonly (readonly number[] | null)[];
}

/** The points of the round just played, and of all rounds so far. */
export interface RoundEnded {
  readonly type: 'RoundEnded';
  readonly round: number;
  readonly points: readonly number[];
  readonly totals: readonly number[];
}

/** A picture of a rule; the files have the names `<name>-wide.svg` and `<name>-tall.svg`. */
export interface RulePicture {
  readonly name: string;
  readonly title: string;
  readonly wide: readonly [number, number];
  readonly tall: readonly [number, number];
}

/** A part of the rules. Those with an id are rules, the others are headings above several of them. */
export interface RuleSection {
  readonly id: string | null;
  readonly level: number;
  readonly title: string;
  readonly html: string;
  readonly when: Readonly<Record<string, unknown>>;
  readonly pictures: readonly RulePicture[];
  readonly lesson: string | null;
}

/** The rules of a game in a language, or in English where they are not translated. */
export interface RulesPage {
  readonly game: string;
  readonly language: 'de' | 'en' | 'pl' | 'ru';
  readonly title: string;
  readonly html: string;
  readonly sections: readonly RuleSection[];
}

export interface Say {
  readonly text: string;
}

export interface SayPhrase {
  readonly phrase: 'angry' | 'clap' | 'close_call' | 'cry' | 'good_game' | 'good_luck' | 'hello' | 'laugh' | 'not_again' | 'once_more' | 'sleepy' | 'sorry' | 'thanks' | 'thinking' | 'well_played' | 'wow';
}

export interface SeatBot {
  readonly expected?: number | null;
  readonly seat: number;
  readonly level: string;
}

export interface SeatReview {
  readonly seat: number;
  readonly name: string;
  readonly points: Account;
  readonly win: Account;
  readonly rounds: readonly (readonly [Account, Account])[];
  readonly lost: number;
  readonly stake: number;
  readonly accuracy: number;
  readonly mistakes: number;
  readonly judged: number;
}

/** A person sits down in a bot's place, in the midst of the match. */
export interface SeatTakenOver {
  readonly type: 'SeatTakenOver';
  readonly seat: number;
  readonly name: string;
}

export interface SeatsCounts {
  readonly seats: number;
  readonly counts: Counts;
}

export interface SeatsSwapped {
  readonly type: 'SeatsSwapped';
  readonly one: number;
  readonly other: number;
}

export interface SetPace {
  readonly pace: 'fast' | 'instant' | 'normal' | 'slow';
}

export interface Shun {
  readonly n?: number | null;
  readonly seat?: number | null;
  readonly block?: boolean;
}

/** Somebody whom a guest has muted or blocked, as they were called then. `id` stands for them in requests. */
export interface Shunned {
  readonly id: string;
  readonly name: string;
  readonly blocked: boolean;
  readonly since: number;
}

export interface Situation {
  readonly phase: 'closed' | 'over' | 'playing' | 'waiting';
  readonly chairs: readonly Chair[];
  readonly you: number | null;
  readonly is_host: boolean;
  readonly view: unknown;
  readonly legal: readonly unknown[];
  readonly decision: number | null;
  readonly waiting: readonly Waiting[];
  readonly chat_open: boolean;
  readonly paused: boolean;
  readonly takeover: boolean;
  readonly outcome: Outcome | null;
  readonly fair: Fair;
  readonly rematch: string | null;
  readonly foreseen?: readonly Foresight[];
  readonly labels?: readonly string[] | null;
  readonly coached?: readonly Coached[];
  readonly may_take_back?: boolean;
}

/** A seat has chosen in secret: only the seat knows what. */
export interface SixCardChosen {
  readonly type: 'CardChosen';
  readonly seat: number;
  readonly play: SixPlay | null;
}

export interface SixCardDrafted {
  readonly type: 'CardDrafted';
  readonly seat: number;
  readonly card: number;
}

/** All cards of the turn, in the order in which they will be placed. */
export interface SixCardsRevealed {
  readonly type: 'CardsRevealed';
  readonly plays: readonly SixPlay[];
}

/** Rule 4: take this row. */
export interface SixChooseRow {
  readonly type: 'ChooseRow';
  readonly row: number;
}

/** The cow has landed on a row. On a full one it makes the seat take all but the highest number. */
export interface SixCowJumped {
  readonly type: 'CowJumped';
  readonly seat: number;
  readonly row: number;
  readonly kept: number | null;
  readonly taken: readonly number[];
  readonly bulls: number;
}

export interface SixDraftBegun {
  readonly type: 'DraftBegun';
  readonly round: number;
  readonly pool: readonly number[];
  readonly starter: number;
}

export interface SixDraftCard {
  readonly type: 'DraftCard';
  readonly card: number;
}

/** The round as everybody saw it; empty if it is not known, as in a position made by hand. */
export interface SixHistory {
  readonly starts: readonly number[];
  readonly turns: readonly (readonly SixPlay[])[];
  readonly rows: readonly number[];
}

/** The marker of Even/Odd or Mountain climbing lies at another row now. */
export interface SixMarkerMoved {
  readonly type: 'MarkerMoved';
  readonly fan: 'cow' | 'even-odd' | 'mountain' | 'twist';
  readonly row: number;
  readonly shows: string;
}

/** Where the fan cards lie: the row of each, and what it shows. */
export interface SixMarkers {
  readonly even_odd: SixParityMarker | null;
  readonly mountain: SixMountainMarker | null;
  readonly cow: number | null;
}

/** Where the fan cards lie when the round begins. */
export interface SixMarkersLaid {
  readonly type: 'MarkersLaid';
  readonly markers: SixMarkers;
}

export interface SixMountainMarker {
  readonly row: number;
  readonly arrows: 'down' | 'up';
}

export interface SixOptions {
  readonly draft: boolean;
  readonly large_draft: boolean;
  readonly fan: readonly ('cow' | 'even-odd' | 'mountain' | 'twist')[];
  readonly target: number;
  readonly more_than_target: boolean;
  readonly rounds: number | null;
}

export interface SixParityMarker {
  readonly row: number;
  readonly parity: 'even' | 'odd';
}

/** A card that a seat plays this turn, perhaps with its twist card. */
export interface SixPlay {
  readonly seat: number;
  readonly card: number;
  readonly twisted: boolean;
}

/** Choose a card in secret, perhaps with the twist card; may be changed until all have chosen. */
export interface SixPlayCard {
  readonly type: 'PlayCard';
  readonly card: number;
  readonly twisted: boolean;
}

/** The four cards that nobody drafted start the rows. */
export interface SixRowsStarted {
  readonly type: 'RowsStarted';
  readonly cards: readonly number[];
}

/** All that everybody can see, or has seen and can remember. */
export interface SixTable {
  readonly options: SixOptions;
  readonly seats: number;
  readonly phase: 'choose' | 'deal' | 'draft' | 'over' | 'row';
  readonly round: number;
  readonly rows: readonly (readonly number[])[];
  readonly markers: SixMarkers;
  readonly queue: readonly SixPlay[];
  readonly bulls: readonly number[];
  readonly taken: readonly number[];
  readonly twists: readonly boolean[];
  readonly pool: readonly number[];
  readonly drafted: readonly (readonly number[])[];
  readonly scores: readonly (readonly number[])[];
  readonly history: SixHistory;
}

/** What a seat may know; a spectator has no seat, no hand and no pile. */
export interface SixView {
  readonly seat: number | null;
  readonly table: SixTable;
  readonly hand: readonly number[];
  readonly pile: readonly number[];
  readonly choice: SixPlay | null;
  readonly waiting: readonly number[];
  readonly hand_sizes: readonly number[];
}

/** Everything about a table as it is now. `n` is the number of the last thing that happened. */
export interface Snapshot {
  readonly type: 'Snapshot';
  readonly n: number;
  readonly at: number;
  readonly table: TableInfo;
  readonly situation: Situation;
  readonly chat: readonly ChatSaid[];
}

export interface StandIn {
  readonly seat: number;
}

/** `by` would let a bot play for `seat`, who is gone. */
export interface StandInWanted {
  readonly type: 'StandInWanted';
  readonly seat: number;
  readonly by: number;
}

/** How a match stands, as all can see it: where it is, and who has how many points so far. */
export interface Standing {
  readonly round: number;
  readonly rounds: number | null;
  readonly points: readonly number[];
  readonly high_wins: boolean;
  readonly unit: 'round' | 'turn';
  readonly sides: readonly string[];
}

/** A browser that wants to be called, as its push manager describes it. */
export interface Subscribe {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly quiet?: Quiet | null;
  readonly zone?: string;
}

/** A browser that is called, and which service passes calls on to it. */
export interface SubscriptionInfo {
  readonly id: string;
  readonly since: number;
  readonly service: string;
  readonly quiet: Quiet | null;
  readonly zone: string;
}

export interface SwapSeats {
  readonly expected?: number | null;
  readonly one: number;
  readonly other: number;
}

/** A table in a list: public facts only. Tables that nothing has happened at since there were no standings yet have none. */
export interface TableCard {
  readonly id: string;
  readonly game: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly phase: 'closed' | 'over' | 'playing' | 'waiting';
  readonly tempo: NoClock | Live | ByTurns;
  readonly chairs: readonly Chair[];
  readonly updated: number;
  readonly you: number | null;
  readonly waiting: readonly Awaited[];
  readonly paused: boolean;
  readonly standing: Standing | null;
  readonly winners: readonly number[] | null;
  readonly practice: boolean;
}

export interface TableClosed {
  readonly type: 'TableClosed';
  readonly reason: string;
}

/** What does not change about a table. */
export interface TableInfo {
  readonly id: string;
  readonly game: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly seats: number;
  readonly public: boolean;
  readonly tempo: NoClock | Live | ByTurns;
  readonly opened: number;
  readonly rematch_of: string | null;
  readonly practice: boolean;
  readonly brought: boolean;
}

export interface TakeoverAllowed {
  readonly type: 'TakeoverAllowed';
  readonly allowed: boolean;
}

/** A text in every language. */
export interface Text {
  readonly en: string;
  readonly de: string;
  readonly pl: string;
  readonly ru: string;
}

/** A person missed a decision, the last of so many in a row; a bot makes it. With `away` the seat's clock is short from now on, until the person is back. */
export interface TimeRanOut {
  readonly type: 'TimeRanOut';
  readonly seat: number;
  readonly missed: number;
  readonly away: boolean;
}

/** A token without its secret. `expires` is null for those from before tokens expired. */
export interface TokenInfo {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ('play' | 'read' | 'tables')[];
  readonly created: number;
  readonly expires: number | null;
}

/** What came of one of the actions that a decision was between. */
export interface Tried {
  readonly action: unknown;
  readonly points: number;
  readonly win: number;
  readonly cost: number;
  readonly error: number;
  readonly facts: Prospect;
  readonly why: string;
}

/** Nothing that others need to know: a person has cleared up their list, or had their data deleted; or a message that is not for the reader: it was taken away, or they have muted its author. */
export interface Unlisted {
  readonly type: 'Unlisted';
}

/** One thing that happened, numbered without gaps, and how things are after it. */
export interface Update {
  readonly type: 'Update';
  readonly n: number;
  readonly at: number;
  readonly note: PlayerJoined | Contributed | PlayerLeft | BotJoined | BotLeft | SeatsSwapped | MatchStarted | TimeRanOut | PlayerAway | PlayerBack | StandInWanted | TakeoverAllowed | SeatTakenOver | PaceSet | Unlisted | ChatSaid | ChatRemoved | HintGiven | DecisionTakenBack | RematchOffered | TableClosed | Decided | null;
  readonly events: readonly unknown[];
  readonly situation: Situation;
  readonly changes?: readonly unknown[] | null;
  readonly told?: readonly string[] | null;
}

export interface VariantInfo {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly max_seats: number;
}

/** A seat that is being waited for. `since` is the number of the message with which its decision came up. The clock starts when what happened before can have been watched. */
export interface Waiting {
  readonly seat: number;
  readonly kind: string;
  readonly since: number;
  readonly deadline: number | null;
}

/** A match that waits for a decision of the reader's. */
export interface WaitingTable {
  readonly table: string;
  readonly game: string;
}

export interface WantHint {
  readonly decision?: number | null;
}

/** How far strong bots are: `percent` of what they think with is ready. `levels` are those for which a simple bot still decides, by game; none once all are ready. */
export interface WarmUpStatus {
  readonly percent: number;
  readonly levels: Readonly<Record<string, readonly string[]>>;
}

/** One of the cards taken lies in the X row, the others are in the hand; all saw which. */
export interface XCardKept {
  readonly type: 'CardKept';
  readonly seat: number;
  readonly card: number;
  readonly x_row: readonly number[];
  readonly discarded: readonly number[];
  readonly to_hand: readonly number[];
}

/** All cards of the turn, in the order in which they will be placed. */
export interface XCardsRevealed {
  readonly type: 'CardsRevealed';
  readonly plays: readonly XPlay[];
}

/** Rule 4: take this row. */
export interface XChooseRow {
  readonly type: 'ChooseRow';
  readonly row: number;
}

/** The round is over: the hands lie open and bulls are counted, those of the X piles twice. */
export interface XHandsCounted {
  readonly type: 'HandsCounted';
  readonly hands: readonly (readonly number[])[];
  readonly in_hand: readonly number[];
  readonly in_x_pile: readonly number[];
}

/** Put this one of the cards just taken into the own X row. */
export interface XKeepCard {
  readonly type: 'KeepCard';
  readonly card: number;
}

export interface XOptions {
  readonly rounds: number;
}

/** A card that a seat plays this turn. */
export interface XPlay {
  readonly seat: number;
  readonly card: number;
}

/** Choose a card in secret; may be changed until all have chosen. */
export interface XPlayCard {
  readonly type: 'PlayCard';
  readonly card: number;
}

/** All that everybody can see, or has seen and can remember. */
export interface XTable {
  readonly options: XOptions;
  readonly seats: number;
  readonly phase: 'choose' | 'deal' | 'keep' | 'over' | 'row';
  readonly round: number;
  readonly rows: readonly (readonly number[])[];
  readonly queue: readonly XPlay[];
  readonly taken: XTaking | null;
  readonly x_rows: readonly (readonly number[])[];
  readonly x_piles: readonly (readonly number[])[];
  readonly known: readonly (readonly number[])[];
  readonly scores: readonly (readonly number[])[];
}

/** Cards that a seat has just taken, before it says which one goes to the X row. */
export interface XTaking {
  readonly seat: number;
  readonly cards: readonly number[];
}

/** What a seat may know; a spectator has no seat and no hand. */
export interface XView {
  readonly seat: number | null;
  readonly table: XTable;
  readonly hand: readonly number[];
  readonly choice: number | null;
  readonly waiting: readonly number[];
  readonly hand_sizes: readonly number[];
}
