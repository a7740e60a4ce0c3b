import { describe, expect, test } from 'vitest';
import { rounds } from '../support/long.ts';
import type { Happening } from './plan/happenings.ts';
import { draw, play } from './play.ts';
import { playSeeds } from './run/play-seeds.ts';
import { shrink } from './run/shrink.ts';

/** Seeds in whose runs everything happens. Seeds in a row begin alike. */
const SEEDS = { first: 12, step: 112, count: rounds(14, 200) };
const HAPPENINGS: Record<Happening['what'], true> = {
  ...{ sync: true, retry: true, undo: true, kill: true, stop: true, clock: true, weather: true, queue: true },
  ...{ edit: true, image: true, 'files are away': true, source: true, editor: true, loseQueue: true },
  ...{
    'back up': true,
    'restore CMS': true,
    config: true,
    habit: true,
    'other source': true,
    'picture fails': true,
    'come and go': true,
    'pass on': true,
    'share a key': true,
  },
  'move ids': true,
};

// Known seeds; `npm run simulate` plays fresh ones.
describe('Simulated runs', () => {
  test('A seed has one story, byte by byte, in virtual time, and seeds differ', async () => {
    const startedAt = Date.now();
    const { story } = await play(1);
    const tookMs = Date.now() - startedAt;
    expect(story.length).toBeGreaterThan(20);
    expect((await play(1)).story.join('\n')).toBe(story.join('\n'));
    expect((await play(2)).story.join('\n')).not.toBe(story.join('\n'));
    const virtualMs = Number.parseFloat(story.at(-1) ?? '') * 1_000;
    expect(virtualMs).toBeGreaterThan(60_000);
    expect(tookMs).toBeLessThan(virtualMs);
  });

  test(`Nothing is found in ${SEEDS.count} runs`, { timeout: 600_000 }, async () => {
    const tally = await playSeeds({ ...SEEDS, until: Number.POSITIVE_INFINITY });
    expect(tally.failed).toEqual([]);
    expect(tally.runs).toBe(SEEDS.count);
    expect(tally.requests).toBeGreaterThan(20 * SEEDS.count);
  });

  test('Everything that can happen happens in them', () => {
    const runs = Array.from({ length: SEEDS.count }, (_, nth) => draw(SEEDS.first + nth * SEEDS.step));
    const happened = runs.flatMap(({ happenings }) => happenings.map(({ what }) => what));
    expect([...new Set(happened)].toSorted()).toEqual(Object.keys(HAPPENINGS).toSorted());
    const settings = runs.flatMap(({ settings: { resource, queue, missing, disaster } }) => [
      ...[resource, queue, missing, disaster ?? 'no disaster'],
    ]);
    expect(new Set(settings)).toEqual(
      new Set([
        ...['events', 'accounts', 'local', 'shared', 'keep', 'delete'],
        ...['no disaster', 'ledger is lost', 'ledger is older'],
      ]),
    );
  });

  test('Nothing is found if the source loses all that it may', async () => {
    const removed = Array.from({ length: 100 }, (_, position) => position);
    const edit = { at: 1_000, what: 'edit' as const, changed: [], added: 0, removed, returned: [], swapped: false };
    expect((await play(1, [edit])).findings).toEqual([]);
  });

  test('A sync whose items were all taken back may get another resource', async () => {
    const undo = { at: 6_000, what: 'undo' as const, by: 0 };
    const change = { at: 40_000, what: 'config' as const, change: 'resource' as const, forMs: 14_000 };
    expect((await play(383, [undo, change, { at: 50_000, what: 'sync', by: 0 }])).findings).toEqual([]);
  });
});

test('A failure is shrunk to what matters', async () => {
  const edit = { at: 5_000, what: 'edit' as const, changed: [1], added: 0, removed: [], returned: [], swapped: false };
  const noise = { at: 1_000, what: 'editor' as const, does: 'add' as const, item: 1 };
  const unreadable = { at: 2_000, what: 'source' as const, state: 'down' as const, forMs: 10 };
  const failed = await play(1, [noise, unreadable, edit]);
  // The finding is planted: whatever keeps the edit fails.
  const failing = { ...failed, findings: [{ is: 'lost' as const, what: 'planted' }] };
  const replay: typeof play = async (seed, happenings) => {
    const played = await play(seed, happenings);
    return happenings?.includes(edit) ? { ...played, findings: failing.findings } : played;
  };
  expect((await shrink(failing, replay)).happenings).toEqual([edit]);
});
