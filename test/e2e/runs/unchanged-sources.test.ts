import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type LedgerOptions, lookAtDatabase } from '../../../src/ledger/database/open.ts';
import type { RunContext } from '../../../src/sync/context/run-context.ts';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { purgeRun } from '../../../src/sync/runs/purge-run.ts';
import { syncRun } from '../../../src/sync/runs/sync-run.ts';
import { undoRun } from '../../../src/sync/undo/undo-run.ts';
import { healRun } from '../../../src/sync/verify/heal-run.ts';
import { verifySyncs } from '../../../src/sync/verify/verify-syncs.ts';
import { rounds } from '../../support/long.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type Engines, openSite, type Site, simplest, writeTarget } from '../site.ts';

// What is recognised by its source is not mapped, so a change that this hides is lost. Whatever happened before, a plan must be
// the same if nothing is recognised.

const COLUMNS = 'id,title,date,text,end';
const MAP = 'title: title, date: date, time.start: { value: "18:00" }, time.end: end, description: text';
const KEYS = ['T1', 'T2', 'T3'];
const rows = ['T1,Maps,2031-03-01,Old,19:00', 'T2,Ships,2031-03-02,,20:00', 'T3,Tides,2031-03-03,<p>New</p>,20:00'];

function openTalks(engines: Engines): Promise<Site> {
  return openSite(engines, { target: '  maxAttempts: 1\n' });
}

const writeRows = (site: Site, rows: readonly string[]) => writeTalks(site, rows, { columns: COLUMNS });
const writeSync = (site: Site, more = '', map = MAP) => writeTalksSync(site, more, { map });
const ledgerOf = ({ variables }: Site): LedgerOptions => ({
  dataDir: variables.FEEDFERRY_DATA ?? '',
  databaseUrl: variables.DATABASE_URL,
});

/** The rows, delivered. */
async function publishedSite(engines: Engines, more = '', map = MAP): Promise<Site> {
  const site = await openTalks(engines);
  writeSync(site, more, map);
  writeRows(site, rows);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
  return site;
}

/** The keys of the records that the next run would map. */
async function mappedBy(site: Site): Promise<string[]> {
  return (await planOf(site)).mapped;
}

const readConfig = (site: Site) => readFileSync(join(site.dir, 'config/feedferry.yaml'), 'utf8');

/** The plan of the next run, and what is staged for it; records that are mapped are counted in `mapped`. */
function planOf(site: Site) {
  return site.withContext(async (context) => {
    const mapped: string[] = [];
    let staged: object[] = [];
    const { plans } = context.ledger;
    const watched: RunContext = {
      ...context,
      readSource: (options) => {
        const reading = context.readSource(options);
        return { ...reading, unmappedRecords: noteMapped(reading.unmappedRecords, mapped) };
      },
      ledger: {
        ...context.ledger,
        plans: {
          ...plans,
          async discard(run) {
            staged = await stagedRows(site, run);
            await plans.discard(run);
          },
        },
      },
    };
    const changes: unknown[] = [];
    const { run, durationMs, startedAt, finishedAt, ...report } = (await planRun(watched, (some) => {
      changes.push(...some);
    })) as Record<string, unknown>;
    return {
      mapped,
      plan: {
        report: JSON.parse(JSON.stringify(report, withoutTimes).replaceAll(String(run), 'RUN')),
        changes,
        staged,
      },
    };
  });
}

const withoutTimes = (name: string, value: unknown) => (name === 'durationMs' ? undefined : value);

async function* noteMapped<Each extends { key?: string; map(): unknown }>(
  records: AsyncIterable<Each>,
  mapped: string[],
): AsyncGenerator<Each> {
  for await (const record of records) {
    const map = () => {
      mapped.push(record.key ?? '');
      return record.map();
    };
    yield { ...record, map };
  }
}

/** What does not depend on how a record was judged to be unchanged. */
function stagedRows(site: Site, run: string): Promise<object[]> {
  return lookAtDatabase(ledgerOf(site), async ({ db }) => {
    const rows = await db.selectFrom('staged_changes').selectAll().where('run', '=', run).orderBy('key').execute();
    return rows.map(({ run: _, source_hash, ...row }) =>
      row.op === 'unchanged' ? { key: row.key, op: row.op, place: row.place, previous_key: row.previous_key } : row,
    );
  });
}

/** Plans with what the ledger recognises, and without it. */
async function expectSamePlan(site: Site): Promise<void> {
  const recognising = await planOf(site);
  const options = ledgerOf(site);
  const hashes = await lookAtDatabase(options, ({ db }) =>
    db.selectFrom('records').select(['key', 'source_hash']).execute(),
  );
  const setHash = (key: string, source_hash: string | null) =>
    lookAtDatabase(options, ({ db }) =>
      db.updateTable('records').set({ source_hash }).where('key', '=', key).execute(),
    );
  for (const { key } of hashes) await setHash(key, null);
  const mapping = await planOf(site);
  for (const { key, source_hash } of hashes) await setHash(key, source_hash);
  expect(recognising.plan).toEqual(mapping.plan);
}

const undo = (site: Site, run: string) => site.withContext((context) => undoRun(run, context));
const heal = (site: Site) =>
  site.withContext(async (context) => {
    const [verified] = await verifySyncs([context]);
    return verified && healRun(verified);
  });

/** Edits or deletes one of the items. */
async function editItem(site: Site, index: number, body?: object): Promise<void> {
  const items = await site.items('calendar/events', '&sort=+id');
  const item = items[index % Math.max(1, items.length)];
  if (item) await site.request(body ? 'PATCH' : 'DELETE', `api/v1/calendar/events/${item.id}`, body);
}

const configs = [
  ['', MAP],
  ['authority: { title: editor, description: initial }', MAP],
  ['missing: { policy: set, set: { title: Cancelled }, threshold: { percent: 100 } }', MAP],
  ['missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }', MAP],
  ['onDeletedInCms: recreate\nwindow: { from: 2031-03-01, to: 2031-03-31 }', MAP],
  ['window: { past: 30d, future: 3650d }\nwhen: { field: end, not: ["23:00"] }', MAP],
  [
    'adopt: { match: [title, date] }',
    'title: { field: title, case: upper }, date: date, time.start: { value: "18:00" }',
  ],
] as const;

/** What the source may have of a record; of the others, most is delivered. */
const variants = [
  'Maps,2031-03-01,Old,19:00',
  'Ships,2031-03-01,Old,19:00',
  'Maps,2031-04-01,<p>New</p>,20:00',
  // Reported in every run: it ends before it starts.
  'Maps,2031-03-01,Old,08:00',
  // Rejected.
  'Maps,2031-02-30,Old,19:00',
  // Skipped by the config that says so.
  'Tides,2031-03-01,,23:00',
] as const;
const source = fc.record({
  is: fc.constant('source' as const),
  key: fc.nat(KEYS.length - 1),
  variant: fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(variants.length) }),
  isTwice: fc.nat(9).map((dice) => dice === 0),
});
const failing = fc.record({
  kind: fc.constant('error'),
  method: fc.constantFrom('POST', 'PATCH', 'DELETE'),
  status: fc.constantFrom(422, 500),
  when: fc.constantFrom('before', 'after'),
  times: fc.integer({ min: 1, max: 2 }),
});
const step = fc.oneof(
  { weight: 10, arbitrary: source },
  { weight: 10, arbitrary: fc.constant({ is: 'sync' as const }) },
  { weight: 2, arbitrary: fc.nat(configs.length - 1).map((config) => ({ is: 'config' as const, config })) },
  { weight: 4, arbitrary: failing.map((fault) => ({ is: 'fault' as const, fault })) },
  { weight: 1, arbitrary: fc.nat(4).map((index) => ({ is: 'edit' as const, index })) },
  { weight: 1, arbitrary: fc.nat(4).map((index) => ({ is: 'delete' as const, index })) },
  ...(['undo', 'heal', 'retry', 'approve', 'backfill', 'purge'] as const).map((is) => ({
    weight: 1,
    arbitrary: fc.constant({ is }),
  })),
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** Plays a story, in which much goes wrong; after each of its steps, the plan is the same without the hashes. */
async function play(steps: readonly Step[], engines: Engines): Promise<void> {
  await using site = await openTalks(engines);
  writeSync(site);
  const sources = KEYS.map((key) => [`${key},${variants[0]}`]);
  writeRows(site, sources.flat());
  await site.sync();
  let last = '';
  for (const each of steps) {
    await act(each).catch((error: unknown) => {
      // An undo of nothing, an approval without a held plan.
      if (!/^FF_(?!BUG|CONFIG)/.test(String((error as { code?: unknown }).code))) throw error;
    });
    await setFaults(site);
    await expectSamePlan(site);
  }

  async function act(each: Step): Promise<unknown> {
    if (each.is === 'source') {
      const variant = variants[each.variant];
      const row = `${KEYS[each.key]},${variant}`;
      // Without a variant, the source no longer has it.
      sources[each.key] = variant === undefined ? [] : each.isTwice ? [row, row] : [row];
      return writeRows(site, sources.flat());
    }
    if (each.is === 'config') return writeSync(site, ...(configs[each.config] ?? []));
    if (each.is === 'edit') return editItem(site, each.index, { title: 'Edited' });
    if (each.is === 'delete') return editItem(site, each.index);
    if (each.is === 'undo') return undo(site, last);
    if (each.is === 'heal') return heal(site);
    if (each.is === 'retry') return site.retry('talks');
    if (each.is === 'approve') return site.approve('talks', last);
    if (each.is === 'backfill') return site.withContext((context) => syncRun(context, {}));
    if (each.is === 'purge') return site.withContext(purgeRun);
    if (each.is === 'fault') await setFaults(site, each.fault);
    const [report] = await site.sync();
    last = report?.run ?? last;
    return report;
  }
}

describe.each(either(0))('Unchanged sources on $ledger and $queue', (engines) => {
  test('A plan is the same whether or not records are recognised by their sources, whatever happened before', async () => {
    const stories = fc.array(step, { minLength: 10, maxLength: 25, size: 'max' });
    await fc.assert(
      fc.asyncProperty(stories, (steps) => play(steps, engines)),
      { numRuns: engines.ledger === 'sqlite' ? rounds(1, 30) : rounds(1, 10) },
    );
  }, 600_000);
});

describe.each(either(1))('Unchanged sources on $ledger and $queue', (engines) => {
  test('Only what has changed is mapped', async () => {
    await using site = await publishedSite(engines);
    expect(await mappedBy(site)).toEqual([]);
    writeRows(site, ['T1,Maps,2031-03-01,Old,19:00', 'T2,Ferries,2031-03-02,,20:00', 'T4,Bays,2031-03-04,,20:00']);
    expect(await mappedBy(site)).toEqual(['T2', 'T4']);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, updated: 1, unchanged: 1 } }]);
    expect(await mappedBy(site)).toEqual([]);
    const titles = (await site.items('calendar/events')).map(({ title }) => title).sort();
    expect(titles).toEqual(['Bays', 'Ferries', 'Maps', 'Tides']);
  });

  test('Another config maps all, once', async () => {
    await using site = await publishedSite(engines);
    writeSync(site, 'timeTypes: { startEnd: timed }');
    expect(await mappedBy(site)).toEqual(KEYS);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 3 } }]);
    expect(await mappedBy(site)).toEqual([]);
    writeTarget(site, '  externalId: source_key\n  lookupAfter: 201ms\n');
    expect(await mappedBy(site)).toEqual([]);
    site.write('feedferry.yaml', readConfig(site).replace('America/New_York', 'Europe/Berlin'));
    expect(await mappedBy(site)).toEqual(KEYS);
  });

  test('What the source takes back before it was delivered is not taken for delivered when it returns', async () => {
    await using site = await publishedSite(engines);
    const [first = '', ...others] = rows;
    const changed = [first.replace('Maps', 'Charts'), ...others];
    writeRows(site, changed);
    await setFaults(site, { kind: 'error', status: 422, method: 'PATCH' });
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { failed: 1 } }]);
    await setFaults(site);
    writeRows(site, rows);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 3 } }]);
    writeRows(site, changed);
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 2 } }]);
  });
});

describe('Unchanged sources', () => {
  test('The window moves with the days, and a backfill has another one', async () => {
    await using site = await publishedSite(simplest, 'window: { past: 0d }');
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-03-02T12:00:00Z') });
    try {
      expect(await mappedBy(site)).toEqual(['T1']);
      expect((await planOf(site)).plan.report).toMatchObject({ counts: { unchanged: 2, skipped: 1 } });
      const days = { from: '2031-03-01', to: '2031-03-02' };
      const backfill = await site.withContext((context) => syncRun(context, days));
      expect(backfill).toMatchObject({ status: 'success', counts: { unchanged: 2, skipped: 1 } });
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([['reads the clock', `title: { template: "{{ 'now' | date: '%Y' }} {{ title }}" }`]])(
    'A record that %s is mapped in every run',
    async (_, title) => {
      await using site = await publishedSite(simplest, '', MAP.replace('title: title', title));
      await site.sync();
      expect(await mappedBy(site)).toEqual(KEYS);
    },
  );

  test('A template of the record alone is not', async () => {
    await using site = await publishedSite(
      simplest,
      '',
      MAP.replace('title: title', 'title: { template: "{{ title | upcase }}" }'),
    );
    expect(await mappedBy(site)).toEqual([]);
  });

  test('A warning is reported by every run, and duplicates are found', async () => {
    await using site = await publishedSite(simplest);
    writeRows(site, ['T1,Maps,2031-03-01,Old,08:00', ...rows.slice(1)]);
    const warned = { warnings: [{ at: 'line 2' }] };
    expect(await site.sync()).toMatchObject([{ ...warned, counts: { updated: 1, unchanged: 2 } }]);
    writeRows(site, [
      'T1,Maps,2031-03-01,Old,08:00',
      ...rows.slice(1),
      `${rows[2]?.split(',')[0]},Atlases,2031-03-01,,`,
    ]);
    expect(await site.sync()).toMatchObject([{ ...warned, counts: { unchanged: 2, rejected: 2 } }]);
    writeRows(site, rows);
    expect(await site.sync()).toMatchObject([{ warnings: [], counts: { updated: 1, unchanged: 2 } }]);
  });

  test('An undo and a repair are planned again', async () => {
    await using site = await publishedSite(simplest);
    writeRows(site, [rows[0] ?? '', 'T2,Ferries,2031-03-02,,20:00', rows[2] ?? '']);
    const [update] = await site.sync();
    await undo(site, update?.run ?? '');
    expect(await mappedBy(site)).toEqual(['T2']);
    expect((await planOf(site)).plan.report).toMatchObject({ updates: 1, counts: { unchanged: 2 } });
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 2 } }]);
    await editItem(site, 0, { title: 'Edited' });
    await heal(site);
    expect(await mappedBy(site)).toEqual(['T1']);
    expect(await site.items('calendar/events', '&sort=+id')).toMatchObject([{ title: 'Maps' }, {}, {}]);
  });
});
