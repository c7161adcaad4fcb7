"""The laws that every game obeys, whatever its rules. Each says what it protects; a failure shows the position."""

from nimmt.testing.laws.basics import Hooks, Law, broken, located
from nimmt.testing.laws.documents import (
    events_can_be_told,
    events_survive_json,
    positions_survive,
    records_verify,
    states_are_values,
    views_survive_json,
)
from nimmt.testing.laws.playing import (
    cards_are_conserved,
    deals_are_checked,
    every_legal_action_applies,
    everything_is_explained,
    points_add_up,
    somebody_can_go_on,
    the_same_play_gives_the_same_match,
)
from nimmt.testing.laws.refusals import other_actions_are_refused, unknown_seats_are_refused
from nimmt.testing.laws.secrecy import (
    events_tell_no_more_than_views,
    hidden_cards_are_not_shown,
    imagined_worlds_can_be_played,
    secret_choices_stay_secret,
    swapped_cards_are_not_noticed,
    views_show_only_what_is_seen,
)

__all__ = [
    "Hooks",
    "Law",
    "broken",
    "cards_are_conserved",
    "deals_are_checked",
    "events_can_be_told",
    "events_survive_json",
    "events_tell_no_more_than_views",
    "every_legal_action_applies",
    "everything_is_explained",
    "hidden_cards_are_not_shown",
    "imagined_worlds_can_be_played",
    "located",
    "other_actions_are_refused",
    "points_add_up",
    "positions_survive",
    "records_verify",
    "secret_choices_stay_secret",
    "somebody_can_go_on",
    "states_are_values",
    "swapped_cards_are_not_noticed",
    "the_same_play_gives_the_same_match",
    "unknown_seats_are_refused",
    "views_show_only_what_is_seen",
    "views_survive_json",
]
