import { statSync } from 'node:fs';
import type { Insertable } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RetentionConfig } from '../../../src/config/types.ts';
import { thisMachine } from '../../../src/core/runtime/process-name.ts';
import { openDatabase, sqliteFile } from '../../../src/ledger/database/open.ts';
import type { LedgerDatabase, LedgerTables, RecordsTable, RunRow } from '../../../src/ledger/database/schema.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const DAY_MS = 86_400_000;
const retention: RetentionConfig = {
  runsMs: 90 * DAY_MS,
  rejectsMs: 14 * DAY_MS,
  beforeImagesMs: 30 * DAY_MS,
  filesMs: 180 * DAY_MS,
};
const TABLES = [
  ...['runs', 'staged_changes', 'rejections', 'records', 'attempts', 'uploads', 'remote_files', 'alerts'],
  ...['members', 'readings', 'answers'],
];
const unaborted = new AbortController().signal;
const daysAgo = (days: number) => Date.now() - days * DAY_MS;
/** So many ages, from the oldest on. */
const from = (oldest: number, count: number) => Array.from({ length: count }, (_, index) => oldest - index / 100);

describe.each(ledgerEngines.filter(hasEngine))('Retention in a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;
  let db: LedgerDatabase['db'];

  beforeAll(async () => {
    ledger = opened.ledger;
    const { databaseUrl, dataDir } = opened;
    ({ db } = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) }));
  });
  afterAll(() => db.destroy());
  beforeEach(async () => {
    for (const table of TABLES) await db.deleteFrom(table as keyof LedgerTables).execute();
  });

  const sweep = (signal = unaborted) => ledger.retention.run(retention, signal);

  /** Runs that began and ended so many days ago. */
  async function addRuns(sync: string, ages: readonly number[], more: Partial<RunRow> = {}): Promise<string[]> {
    const rows = ages.map((age) => {
      const time = daysAgo(age);
      const times = { started_at: time, finished_at: time, lease_until: time };
      const ended = {
        kind: 'run' as const,
        status: 'success' as const,
        holder: 'none',
        complete: 1,
        counts: '{}',
        warnings: '[]',
      };
      const succeeded = (more.status ?? ended.status) === 'success' ? 1 : 0;
      return { id: `${sync}-${age}`, sync, ...times, ...ended, succeeded, ...more };
    });
    await db.insertInto('runs').values(rows).execute();
    return rows.map(({ id }) => id);
  }

  async function addRejections(runs: readonly string[], count = 1): Promise<void> {
    for (const run of runs) {
      const rejection = { at: 'line 2', code: 'FF_RECORD_KEY' as const, reason: 'none' };
      await ledger.runs.addRejections(
        run,
        0,
        Array.from({ length: count }, () => rejection),
      );
    }
  }

  async function addStaged(runs: readonly string[]): Promise<void> {
    await ledger.plans.add(runs.map((run) => ({ run, key: 'a', op: 'unchanged', place: 'line 2' })));
  }

  /** A record that was delivered, or tried, so many days ago. */
  async function addRecord(key: string, age: number, more: Partial<Omit<RecordsTable, 'status'>> & { status: string }) {
    const content = {
      sync: 's',
      key,
      resource: 'events',
      place: 'line 2',
    };
    const counts = {
      attempts: 0,
      knows: more.cms_id ? 'known' : 'none',
      has: more.cms_id ? 1 : null,
      goal: 'have' as const,
    };
    const record = { ...content, ...counts, run: 'gone', ...more } as Insertable<RecordsTable>;
    const tried = {
      seq: 1,
      run: 'gone',
      outcome: 'failed',
      upload_count: 0,
      begun_at: daysAgo(age),
      settled_at: daysAgo(age),
    } as const;
    const { id } = await db.insertInto('records').values(record).returning('id').executeTakeFirstOrThrow();
    await db
      .insertInto('attempts')
      .values({ ...tried, record: id })
      .execute();
  }

  async function left(table: keyof LedgerTables, column: string): Promise<string[]> {
    const rows = await db.selectFrom(table).select(db.dynamic.ref<string>(column)).distinct().execute();
    return rows.map((row) => String(Object.values(row)[0])).sort();
  }

  test('Old runs are deleted, except the newest 20 of each sync', async () => {
    await addRuns('often', from(200, 30));
    const newer = await addRuns('often', from(89, 5));
    const seldom = await addRuns('seldom', from(400, 20));
    const stay = (await left('runs', 'id'))
      .filter((id) => id.startsWith('often'))
      .toSorted(byAge)
      .slice(-20);
    expect(await sweep()).toBe(15);
    expect(await left('runs', 'id')).toEqual([...stay, ...seldom].sort());
    expect(stay).toEqual(expect.arrayContaining(newer));
    expect(await sweep()).toBe(0);
  });

  const byAge = (one: string, other: string) => Number(other.split('-')[1]) - Number(one.split('-')[1]);

  test('The last success and the last target of a sync are kept', async () => {
    await addRuns('wrong', [300, 299], { target: 'https://www.example.edu' });
    await addRuns('wrong', from(200, 30), { status: 'failed', error_code: 'FF_DESTINATION_CHANGED' });
    expect(await sweep()).toBe(11);
    await addRecord('a', 1, { sync: 'wrong', status: 'delivered', cms_id: 1 });
    expect(
      await ledger.runs.countElsewhere('wrong', { targetId: 'https://www.example.edu', resource: 'events' }),
    ).toEqual({});
    expect(
      await ledger.runs.countElsewhere('wrong', { targetId: 'https://elsewhere.example.edu', resource: 'events' }),
    ).toEqual({ events: 1 });
    expect(await ledger.alerts.health('wrong')).toMatchObject({ good: { run: 'wrong-299' } });
  });

  test('A partial run that was the last success is kept', async () => {
    await addRuns('partly', [300], { status: 'partial', succeeded: 1 });
    await addRuns('partly', from(200, 30), { status: 'partial', complete: 0 });
    expect(await sweep()).toBe(10);
    expect(await ledger.alerts.health('partly')).toMatchObject({ good: { run: 'partly-300' } });
  });

  test('Active runs and pending approvals keep their staged rows, and finished ones leave none', async () => {
    const staying = [
      ...(await addRuns('a', [300], { status: 'running', finished_at: null })),
      ...(await addRuns('a', [299], { status: 'held', held_set: 'a set' })),
    ];
    const planning = await addRuns('a', [0.5], { status: 'planned', kind: 'plan', holder: 'elsewhere/1/abc' });
    const ended = [
      ...(await addRuns('a', [298])),
      ...(await addRuns('b', [1])),
      ...(await addRuns('b', [0.4], { status: 'failed' })),
      ...(await addRuns('b', [0.3], { status: 'planned', kind: 'plan', holder: `${thisMachine}/999999999/none` })),
      ...(await addRuns('b', [2], { status: 'planned', kind: 'plan', holder: 'elsewhere/1/abc' })),
    ];
    await addStaged([...staying, ...planning, ...ended, 'a-backfill']);
    await addRuns('a', from(99, 20));
    await sweep();
    expect(await left('staged_changes', 'run')).toEqual([...staying, ...planning, 'a-backfill'].sort());
    expect(await left('runs', 'id')).toEqual(expect.arrayContaining([...staying, ...planning]));
    expect(await left('runs', 'id')).not.toContain('a-298');
  });

  test('A plan under way keeps its draft, and a plan that was killed leaves none', async () => {
    const plan = { status: 'planned', kind: 'plan' } as const;
    const [alive = ''] = await addRuns('a', [0.5], { ...plan, holder: 'elsewhere/1/abc' });
    const [killed = ''] = await addRuns('a', [0.3], { ...plan, holder: `${thisMachine}/999999999/none` });
    const place = { key: 'music/7', place: 'line 2', read_in: killed, read_no: 1, read_hash: null };
    const event = { source: 'music', payload: '{}', attachments: '[]', event_hash: 'h', source_hash: null };
    const days = { starts_on: null, ends_on: null, series: null, slot: null, repeats: 0 as const };
    await ledger.members.putMembers('a', [{ ...place, ...event, ...days }]);
    await ledger.readings.beginReading('a', 'music');
    const said = { answer: 'same', person: 'Ada' } as const;
    await ledger.answers.answer('a', [{ about: 'places: hall', ...said }]);
    for (const run of [alive, killed, 'forgotten']) await ledger.openDraft(run, 'a');
    expect(await sweep()).toBe(6);
    for (const table of ['members', 'readings', 'answers'] as const)
      expect(await left(table, 'sync')).toEqual(['a', `plan ${alive}`]);
    await ledger.discardDraft(alive);
    for (const table of ['members', 'readings', 'answers'] as const) expect(await left(table, 'sync')).toEqual(['a']);
  });

  test('Old and surplus rejections are deleted, and those of the last reading and of each day are kept', async () => {
    const sinceMidnight = (Date.now() % DAY_MS) / DAY_MS;
    const often = await addRuns('often', from(sinceMidnight + 0.9, 55));
    const dayBefore = await addRuns('often', [sinceMidnight + 1.2, sinceMidnight + 1.1]);
    const old = await addRuns('old', [40, 30, 20, 13]);
    const [, last = ''] = await addRuns('seldom', [60, 50]);
    await addRuns('seldom', [10]);
    await addRejections([...often, ...dayBefore, ...old, 'seldom-60', last]);
    await sweep();
    expect(await left('rejections', 'run')).toEqual([...often.slice(5), ...dayBefore.slice(1), 'old-13', last].sort());
  });

  test('A sweep deletes several batches unless the signal ends it', async () => {
    const runs = await addRuns('many', [30, 29, 1]);
    await addRejections(runs, 3000);
    expect(await sweep(AbortSignal.abort())).toBe(0);
    expect(await sweep()).toBe(6000);
    expect(await left('rejections', 'run')).toEqual(['many-1']);
  });

  test('Records that are neither in the CMS nor in the source are deleted with their histories', async () => {
    await addRecord('removed', 100, { status: 'removed' });
    await addRecord('removed lately', 80, { status: 'removed' });
    await addRecord('given up', 100, { status: 'failed', goal: 'leave' });
    await addRecord('given up lately', 100, { status: 'failed', goal: 'leave', run: 'r-1' });
    await addRecord('wanted', 100, { status: 'failed' });
    await addRecord('in the CMS', 100, { status: 'failed', goal: 'leave', cms_id: 7 });
    await addRecord('perhaps in the CMS', 100, { status: 'held', goal: 'leave', knows: 'maybe' });
    await addRecord('delivered', 100, { status: 'delivered', cms_id: 8 });
    await addRecord('deleted there', 100, { status: 'deleted' });
    await addRuns('r', [1]);
    expect(await sweep()).toBe(2);
    const stay = [
      'deleted there',
      'delivered',
      'given up lately',
      'in the CMS',
      'perhaps in the CMS',
      'removed lately',
      'wanted',
    ];
    expect(await left('records', 'key')).toEqual(stay);
    expect(await left('attempts', 'record')).toHaveLength(stay.length);
  });

  test('Files that no source has named for long are deleted', async () => {
    const key = (sha256: string) => ({ targetId: 'site', attribute: 'image', sha256 });
    for (const name of ['kept', 'found', 'gone']) {
      await ledger.files.addUpload(key(name), `/${name}`);
      await ledger.files.remember(name, { sha256: name });
    }
    const before = daysAgo(181);
    await db.updateTable('uploads').set({ used_at: before }).where('sha256', '<>', 'kept').execute();
    await db.updateTable('remote_files').set({ checked_at: before }).where('sha256', '<>', 'kept').execute();

    await ledger.files.keepUploads('site', [key('found'), key('found'), key('unknown')]);
    await ledger.files.keepUploads('another site', [key('gone')]);
    expect(await ledger.files.find('found')).toEqual({ sha256: 'found' });
    await sweep();
    expect(await left('uploads', 'sha256')).toEqual(['found', 'kept']);
    expect(await left('remote_files', 'location_hash')).toEqual(['found', 'kept']);
    expect(await ledger.files.findUpload(key('found'))).toBe('/found');
  });

  test('Alerts of deleted syncs and runs are deleted', async () => {
    for (const sync of ['over', 'on', 'gone', 'lately'])
      await ledger.alerts.note(sync, 'email', new Map([['failed', 'r']]));
    await ledger.alerts.note('over', 'email', new Map());
    await db
      .updateTable('alerts')
      .set({ since: daysAgo(100) })
      .where('sync', '<>', 'lately')
      .execute();
    await db
      .updateTable('alerts')
      .set({ resolved_at: daysAgo(91) })
      .where('sync', '=', 'over')
      .execute();
    await addRuns('on', [1]);
    await sweep();
    expect(await left('alerts', 'sync')).toEqual(['lately', 'on']);
  });

  test('An obsolete held run loses its plan', async () => {
    const [empty] = await addRuns('held', [2], { status: 'held' });
    const [waits] = await addRuns('held', [1], { status: 'held', held_set: 'a set' });
    await ledger.plans.add(
      [empty, waits].map((run) => ({ run: String(run), key: 'a', op: 'delete', place: 'line 2' })),
    );
    await sweep();
    expect(await left('staged_changes', 'run')).toEqual([String(waits)]);
  });

  test('Previous states of items are deleted after their time, and the history is kept', async () => {
    const change = { run: 'r', outcome: 'updated' as const, method: 'PATCH' as const, upload_count: 0 };
    const changes = [31, 29].map((age, index) => {
      const times = { begun_at: daysAgo(age), settled_at: daysAgo(age) };
      return { ...change, ...times, seq: index + 2, before: '{}', after: '{}' };
    });
    await addRecord('changed', 1, { sync: 'images', status: 'delivered', cms_id: 5 });
    const { id } = await db.selectFrom('records').select('id').where('key', '=', 'changed').executeTakeFirstOrThrow();
    await db
      .insertInto('attempts')
      .values(changes.map((each) => ({ ...each, record: id })))
      .execute();
    await sweep();
    const ofRecord = db.selectFrom('attempts').select(['seq', 'before', 'after']).where('record', '=', id);
    const rows = await ofRecord.where('seq', '>', 1).orderBy('seq').execute();
    expect(rows).toEqual([
      { seq: 2, before: null, after: null },
      { seq: 3, before: '{}', after: '{}' },
    ]);
  });

  test('Only one process sweeps at a time, and not too often', async () => {
    const turns = () =>
      Promise.all([ledger, opened.second, ledger].map(({ turns }) => turns.takeTurn('sweep', 60_000)));
    expect((await turns()).filter(Boolean)).toHaveLength(1);
    expect((await turns()).filter(Boolean)).toHaveLength(0);
    await db
      .updateTable('housekeeping')
      .set({ begun_at: Date.now() - 60_001 })
      .execute();
    expect((await turns()).filter(Boolean)).toHaveLength(1);
  });

  const inFile = engine === 'sqlite' ? [engine] : [];

  test.each(inFile)('The file becomes smaller, and so does its log (%s)', async () => {
    const file = sqliteFile(opened.dataDir);
    const bytes = (name: string) => statSync(name).size;
    const runs = await addRuns('large', [30, 29, 28, 27, 1]);
    await addRejections(runs, 3000);
    await db
      .updateTable('rejections')
      .set({ reason: 'because '.repeat(100) })
      .execute();
    await ledger.retention.run({ ...retention, rejectsMs: 365 * DAY_MS }, unaborted);
    const [before, logBefore] = [bytes(file), bytes(`${file}-wal`)];
    await sweep();
    expect(before).toBeGreaterThan(10_000_000);
    expect(bytes(file)).toBeLessThan(before / 2);
    expect([logBefore > 0, bytes(`${file}-wal`)]).toEqual([true, 0]);
  });
});
