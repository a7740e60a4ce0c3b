import { beforeAll, describe, expect, test } from 'vitest';
import type { Payload } from '../../../src/core/record.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { Racing } from '../../../src/ledger/plans/hold-racing.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

// What a sync learns of the records of other syncs, and what people have decided about its own.
describe.each(ledgerEngines.filter(hasEngine))('Records of other syncs, and answers, on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;
  beforeAll(() => {
    ledger = opened.ledger;
  });

  const day = '2027-03-01';
  async function stage(run: string, titles: Record<string, string>, starts_on = day): Promise<void> {
    await ledger.plans.add(
      Object.entries(titles).map(([key, title]) => ({
        ...{ run, key, op: 'create' as const, place: 'line 2', resource: 'events' as const, attachments: '[]' },
        ...{ desired: JSON.stringify({ title, date: starts_on }), hash: title, changed: '["title"]', starts_on },
      })),
    );
  }

  async function begin(sync: string, targetId: string, titles: Record<string, string>): Promise<string> {
    const { run } = await ledger.runs.lead(sync, 'run', { targetId, resource: 'events' });
    await stage(run, titles);
    return run;
  }

  async function deliver(sync: string, targetId: string, titles: Record<string, string>, firstId: number) {
    const run = await begin(sync, targetId, titles);
    const keys = await ledger.plans.apply(run, sync);
    const records = await ledger.records.claim(sync, keys, 60_000);
    for (const [index, record] of records.entries()) {
      const delivered = { title: titles[record.key] ?? '', date: day };
      const made = { cmsId: firstId + index, delivered, deliveredAttachments: {}, editorState: {} };
      await ledger.records.settle(record, { is: 'created', ...made, uploads: 0 });
    }
    await ledger.runs.finish(run);
  }

  const titlesOf = (contents: Payload[]) => contents.map(({ title }) => title);

  /** Holds the creates with the title of another record. */
  const racing = (sync: string, targetId: string): Racing => ({
    ...{ sync, resource: 'events', targets: [targetId] },
    find: (others, creates) => {
      const titles = new Set(others.flatMap(({ contents }) => titlesOf(contents)));
      const held = creates.filter(
        ({ payload, distinctHash }) => titles.has(payload.title) && distinctHash === undefined,
      );
      return held.map(({ key }) => ({ key, code: 'FF_RECORD_ALIKE', reason: 'alike' }));
    },
  });

  test('Those with an item, and those about to get one, on the same days of the same calendar', async () => {
    await deliver('other', 'site', { a: 'A', b: 'B' }, 500);
    await deliver('elsewhere', 'site/second', { a: 'A' }, 600);
    const pending = await begin('pending', 'site', { p: 'P' });
    await stage(pending, { q: 'Q' }, '2027-04-01');
    await ledger.plans.apply(pending, 'pending');
    const run = await begin('own', 'site', { x: 'A', y: 'Y' });
    const of = { sync: 'own', resource: 'events', targets: ['site'] } as const;
    const found = (await Array.fromAsync(ledger.plans.others(run, of))).flat();
    expect(found.map(({ sync, key, cmsId, contents }) => [sync, key, cmsId, titlesOf(contents)]).sort()).toEqual([
      ['other', 'a', expect.any(Number), ['A']],
      ['other', 'b', expect.any(Number), ['B']],
      ['pending', 'p', null, ['P']],
    ]);
    expect([...(await ledger.records.ownersOf('events', [500, 999]))]).toEqual([[500, { sync: 'other', key: 'a' }]]);
    for (const id of [run, pending]) await ledger.runs.finish(id);
  });

  test('Of two plans that are made at the same time, the second holds what the first creates', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const target = `race ${round}`;
      const [one, two] = [`one ${round}`, `two ${round}`];
      const titles = { a: `A ${round}`, b: `B ${round}` };
      const runs = [await begin(one, target, titles), await begin(two, target, { ...titles, own: `Own ${round}` })];
      const [first = [], second = []] = await Promise.all(
        [one, two].map((sync, index) => ledger.plans.apply(runs[index] ?? '', sync, { racing: racing(sync, target) })),
      );
      expect([...first, ...second].sort()).toEqual(['a', 'b', 'own']);
      for (const run of runs) await ledger.runs.finish(run);
    }
  });

  test('A record that a person has called distinct is not held, nor one of a run that has ended before', async () => {
    await deliver('earlier', 'late', { a: 'Late' }, 700);
    // A run that ends in the millisecond in which another one begins counts as one of the same time.
    const ended = Date.now();
    await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(ended);
    const [one, two] = [
      await begin('late one', 'late', { a: 'Same' }),
      await begin('late two', 'late', { a: 'Same', b: 'Late' }),
    ];
    await ledger.plans.noteDistinct(two, [{ key: 'a', aboutHash: 'h' }]);
    await ledger.plans.apply(one, 'late one', { racing: racing('late one', 'late') });
    expect((await ledger.plans.apply(two, 'late two', { racing: racing('late two', 'late') })).sort()).toEqual([
      'a',
      'b',
    ]);
    for (const run of [one, two]) await ledger.runs.finish(run);
  });
});
