import { describe, expect, it } from 'vitest';
import { laid, revealed, taken, weight } from '$games/scenes';
import { DRAWING, easy, Tempo } from '$lib/tempo';
import type { Scene } from '$games/game';

interface View {
  readonly table: { readonly rows: readonly (readonly number[])[]; readonly queue: readonly unknown[] };
}
const view: View = { table: { rows: [[1], [2], [3], [4]], queue: [] } };

/** Milliseconds that the page itself needs for each scene, on a machine that is busy with other things. */
const OVERHEAD = DRAWING * 1.5;

const placed = (loot: number): Scene<View>[] => {
  const event = { seat: 0, card: 50, row: 1, taken: loot ? [1, 2, 3, 4, 5] : [], bulls: loot };
  const lying = laid(view, event, view, '', 0.5);
  return loot ? [lying, taken(event, view, '')] : [lying];
};
const reveal = (cards: number): Scene<View> =>
  revealed(
    Array.from({ length: cards }, (_, seat) => ({ seat, card: seat + 1 })),
    view,
    '',
  );

/** Milliseconds until all of it has been watched. */
function watch(tempo: Tempo, scenes: readonly Scene[]): number {
  tempo.plan(scenes);
  return scenes.reduce((sum, scene) => {
    const ms = tempo.next(scene) * easy(scene) + OVERHEAD;
    tempo.spend(ms);
    return sum + ms;
  }, 0);
}

/** Rows of twenty bulls are taken, one after another: more than five a turn, or four by four cards, cannot be. */
const worst = (cards: number): Scene[] => [
  reveal(cards),
  ...Array.from({ length: cards }, (_, index) => placed(index < Math.min(5, cards) ? 20 : 0)).flat(),
];

describe('a turn', () => {
  it.each([
    [4, 4000],
    [10, 7000],
  ])('of %i cards takes at most %i ms, whatever happens in it', (cards, most) => {
    expect(watch(new Tempo(), worst(cards))).toBeLessThanOrEqual(most);
  });

  it('is not hurried where there is time', () => {
    const scenes = [reveal(4), ...[0, 0, 0, 0].flatMap(placed)];
    const tempo = new Tempo();
    tempo.plan(scenes);
    expect(tempo.next(scenes[0]!)).toBe(1);
  });

  it('takes no longer because somebody chooses a row in between', () => {
    const tempo = new Tempo();
    const [first, ...rest] = worst(10);
    const begun = watch(tempo, [first!]);
    expect(begun + watch(tempo, rest)).toBeLessThanOrEqual(7000);
  });

  it('goes on as fast as it began: what is told later has not lost its time to what came first', () => {
    const tempo = new Tempo();
    const [first, low, loot, ...rest] = [reveal(10), ...placed(1), ...Array(9).fill(0).flatMap(placed)];
    const begun = watch(tempo, [first!]);
    tempo.plan([low!, loot!]);
    const factors = [low!, loot!].map((scene) => {
      const factor = tempo.next(scene);
      tempo.spend(factor * easy(scene) + OVERHEAD);
      return factor;
    });
    tempo.plan(rest);
    factors.push(tempo.next(rest[0]!));
    expect(begun).toBeLessThan(7000);
    expect(Math.min(...factors)).toBeGreaterThan(0.6);
    expect(Math.max(...factors) - Math.min(...factors)).toBeLessThan(0.1);
  });

  it('leaves no hurry behind: the next round is dealt at ease, whether its scores were looked at or not', () => {
    const deal: Scene = { view, hold: 0.6 };
    const end: Scene = { view, hold: 0, interlude: { type: 'RoundEnded', round: 1, points: [], totals: [] } };
    for (const shown of [[end, deal], [deal]]) {
      const tempo = new Tempo();
      const scenes = [...worst(4), end, deal];
      tempo.plan(scenes);
      for (const scene of [...scenes.slice(0, -2), ...shown]) {
        const factor = tempo.next(scene);
        tempo.spend(easy(scene));
        if (scene === deal) expect(factor).toBe(1);
      }
    }
  });

  it('knows nothing of what was not planned: there is no hurry in a lesson or a replay', () => {
    expect(new Tempo().next(reveal(10))).toBe(1);
  });
});

describe('what is taken', () => {
  it('weighs more the more it is, and twenty bulls as much as anything', () => {
    expect([1, 5, 10, 20, 35].map(weight)).toEqual([0, 4 / 19, 9 / 19, 1, 1]);
    expect(easy(placed(20)[1]!)).toBeGreaterThan(easy(placed(1)[1]!) + 300);
  });
});
