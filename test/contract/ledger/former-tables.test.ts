import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLedgerCurrent } from '../../../src/ledger/database/inspect.ts';
import { tables } from '../../../src/ledger/database/migrations/001-tables.ts';
import { seriesAndRefusals } from '../../../src/ledger/database/migrations/002-series-and-refusals.ts';
import { type LedgerOptions, lookAtDatabase } from '../../../src/ledger/database/open.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import type { ClaimedRecord } from '../../../src/ledger/records/claimed-record.ts';
import { createEmptyDatabase, hasEngine, ledgerEngines, temporaryDir } from '../../support/engines.ts';

type Row = Record<string, string | number | null>;

const first = { '001-tables': tables };
const second = { ...first, '002-series-and-refusals': seriesAndRefusals };
const v = (version: number) => JSON.stringify({ version });

const unconfirmed = { create_unconfirmed: 1 };
const item = { cms_id: 7, delivered: v(0), delivered_attachments: '{}', delivered_hash: 'h0' };
const image = { before_image: '{"version":"edited"}' };

/** A record in each state that the first tables knew, and what is known of it from now on. */
const states: Array<{ is: string; row: Row; knows: string; open?: Row[]; status?: string }> = [
  { is: 'never sent', row: { status: 'pending' }, knows: 'none' },
  {
    is: 'create under way',
    row: { status: 'pending', ...unconfirmed, claim_token: 'token', claim_holder: 'elsewhere/1/abc', claim_until: 1 },
    knows: 'maybe',
    open: [{ method: 'POST', doubt: 'sent', body: null, before: null }],
  },
  {
    is: 'create unconfirmed',
    row: { status: 'held', outcome: 'held', ...unconfirmed, create_unconfirmed_before_claim: 1 },
    knows: 'maybe',
    open: [{ method: 'POST', doubt: 'sent', body: null, before: null }],
  },
  {
    is: 'creates of earlier versions unconfirmed',
    row: { status: 'pending', ...unconfirmed, unconfirmed_payloads: `[${v(1)},${v(2)}]` },
    knows: 'maybe',
    open: [
      { method: 'POST', doubt: 'sent', body: v(1), before: null },
      { method: 'POST', doubt: 'sent', body: v(2), before: null },
    ],
  },
  { is: 'create refused', row: { status: 'failed', outcome: 'failed', refused_hash: 'r' }, knows: 'none' },
  {
    is: 'create failed with an error of the CMS',
    row: { status: 'failed', outcome: 'failed', ...unconfirmed },
    knows: 'refused',
    open: [{ method: 'POST', doubt: 'refused', body: null, before: null }],
  },
  {
    is: 'update pending',
    row: { status: 'pending', ...item },
    knows: 'known',
    open: [{ method: 'PATCH', doubt: 'sent', body: v(9), before: null }],
  },
  {
    is: 'update under way',
    row: { status: 'pending', ...item, ...image },
    knows: 'known',
    open: [{ method: 'PATCH', doubt: 'sent', body: v(9), before: image.before_image }],
  },
  {
    is: 'updates of earlier versions unconfirmed',
    row: { status: 'pending', ...item, unconfirmed_payloads: `[${v(1)},${v(9)}]` },
    knows: 'known',
    open: [
      { method: 'PATCH', doubt: 'sent', body: v(1), before: null },
      { method: 'PATCH', doubt: 'sent', body: v(9), before: null },
    ],
  },
  { is: 'update refused', row: { status: 'failed', outcome: 'failed', ...item, refused_hash: 'r' }, knows: 'known' },
  { is: 'delete pending', row: { status: 'pending', action: 'delete', ...item }, knows: 'known' },
  {
    is: 'delete unconfirmed',
    row: { status: 'pending', action: 'delete', ...item, ...image, delete_unconfirmed: 1 },
    knows: 'maybeGone',
    open: [{ method: 'DELETE', doubt: 'sent', body: null, before: image.before_image }],
  },
  {
    is: 'mark under way',
    row: { status: 'pending', action: 'mark', ...item, ...image, attributes_before_mark: image.before_image },
    knows: 'known',
    open: [{ method: 'PATCH', doubt: 'sent', body: v(9), before: image.before_image }],
  },
  {
    is: 'marked',
    row: { status: 'delivered', outcome: 'updated', action: 'mark', ...item, attributes_before_mark: v(0) },
    knows: 'known',
  },
  {
    is: 'found',
    row: { status: 'pending', cms_id: 7, ...unconfirmed },
    knows: 'found',
    open: [{ method: 'PATCH', doubt: 'sent', body: v(9), before: null }],
  },
  { is: 'removed', row: { status: 'removed', outcome: 'removed', action: 'delete', ...unconfirmed }, knows: 'none' },
  { is: 'deleted', row: { status: 'deleted', outcome: 'skipped', ...unconfirmed }, knows: 'none' },
  { is: 'delivered', row: { status: 'delivered', outcome: 'created', ...item }, knows: 'known' },
  // No version has left these, but nothing kept one from doing so.
  { is: 'delivered, without an item', row: { status: 'delivered' }, knows: 'none', status: 'pending' },
  {
    is: 'delivered, without content',
    ...{ row: { status: 'delivered', cms_id: 7 }, knows: 'found', status: 'pending' },
    open: [{ method: 'PATCH', doubt: 'sent', body: v(9), before: null }],
  },
];

describe.each(ledgerEngines.filter(hasEngine))('A ledger of former tables on %s', (engine) => {
  let options: LedgerOptions;

  async function newPlace(): Promise<() => Promise<void>> {
    const dir = temporaryDir();
    const database = engine === 'postgresql' ? await createEmptyDatabase() : undefined;
    options = { dataDir: dir.path, ...(database ? { databaseUrl: database.url } : {}) };
    return async () => {
      await database?.drop();
      dir[Symbol.dispose]();
    };
  }

  /** Creates the tables of an earlier version, and fills them. */
  async function createFormer(migrations: Record<string, Migration>, rows: Record<string, Row[]>): Promise<void> {
    await lookAtDatabase(options, async ({ db }) => {
      const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
      const { error } = await migrator.migrateToLatest();
      if (error) throw error;
      for (const [table, some] of Object.entries(rows)) await insert(db, table, some);
    });
  }

  async function rowsOf(query: string): Promise<Row[]> {
    return lookAtDatabase(options, async ({ db }) => (await sql.raw<Row>(query).execute(db)).rows);
  }

  const content = { resource: 'events', place: 'line 2', attachments: '[]', run: 'r' };

  describe('A record of each state', () => {
    beforeAll(async () => {
      const dispose = await newPlace();
      const records = states.map(({ is, row }) => ({
        ...content,
        sync: 's',
        key: is,
        desired: v(9),
        hash: 'h9',
        ...row,
      }));
      const tried = { sync: 's', key: 'update under way', run: 'r', upload_count: 1 };
      const history = [
        {
          ...tried,
          seq: 4,
          settled_at: 1000,
          outcome: 'created',
          method: 'POST',
          attributes: '["version"]',
          after: v(0),
        },
        {
          ...tried,
          seq: 5,
          settled_at: 2000,
          outcome: 'retry',
          error_code: 'FF_CMS_TIMEOUT',
          error_reason: 'no answer',
        },
      ];
      await createFormer(second, { records, history });
      expect(await isLedgerCurrent(options)).toBe(false);
      await (await openLedger(options)).close();
      return dispose;
    });

    test.each(states)('$is', async ({ is, row, knows, open = [], status = row.status }) => {
      const [record] = await rowsOf(`select * from records where key = '${is}'`);
      const hasItem = knows === 'known' || knows === 'found' || knows === 'maybeGone';
      expect(record).toMatchObject({
        ...{ knows, status, cms_id: hasItem ? 7 : null, delivered: row.delivered ?? null, desired: v(9), hash: 'h9' },
        ...{ action: row.action ?? null, outcome: row.outcome ?? null, refused_hash: row.refused_hash ?? null },
        ...{ claim_token: row.claim_token ?? null, claim_until: row.claim_until ?? null },
        attributes_before_mark: row.attributes_before_mark ?? null,
      });
      const attempts = await rowsOf(`select method, doubt, body, before, settled_at, outcome from attempts
        where key = '${is}' and doubt is not null order by seq`);
      expect(attempts).toEqual(open.map((attempt) => ({ ...attempt, settled_at: null, outcome: null })));
    });

    test('The history is kept, before what is open', async () => {
      const attempts =
        await rowsOf(`select seq, method, doubt, begun_at, settled_at, outcome, attributes, upload_count, after,
        error_code from attempts where key = 'update under way' order by seq`);
      expect(attempts).toMatchObject([
        {
          ...{ seq: 4, method: 'POST', doubt: null, begun_at: 1000, settled_at: 1000, outcome: 'created' },
          ...{ attributes: '["version"]', upload_count: 1, after: v(0), error_code: null },
        },
        {
          seq: 5,
          method: null,
          doubt: null,
          begun_at: 2000,
          settled_at: 2000,
          outcome: 'retry',
          error_code: 'FF_CMS_TIMEOUT',
        },
        { seq: 6, method: 'PATCH', doubt: 'sent' },
      ]);
    });

    test('Nothing else is left of the former tables, and the new ones have their indexes', async () => {
      const names = await lookAtDatabase(options, ({ db }) => db.introspection.getTables());
      expect(names.map(({ name }) => name).filter((name) => name.startsWith('former') || name === 'history')).toEqual(
        [],
      );
      const indexes =
        engine === 'sqlite'
          ? `select name from sqlite_master where type = 'index'`
          : `select indexname as name from pg_indexes`;
      const found = (await rowsOf(indexes)).map(({ name }) => name);
      expect(found).toEqual(
        expect.arrayContaining([
          'records_by_run',
          'records_undelivered',
          'records_in_cms',
          'attempts_open',
          'attempts_by_run',
        ]),
      );
    });

    test('What is claimed then is looked up with all that may have been sent', async () => {
      const ledger = await openLedger(options);
      const claim = async (key: string): Promise<ClaimedRecord | undefined> =>
        (await ledger.records.claim('s', [key], 60_000))[0];
      expect(await claim('never sent')).toMatchObject({ knows: 'none' });
      expect(await claim('create under way')).toMatchObject({ knows: 'maybe', open: [{ body: null }] });
      const creates = {
        knows: 'maybe',
        open: [{ body: { version: 1 } }, { body: { version: 2 } }],
        desired: { version: 9 },
      };
      expect(await claim('creates of earlier versions unconfirmed')).toMatchObject(creates);
      expect(await claim('delete unconfirmed')).toMatchObject({ knows: 'maybeGone', goal: { is: 'gone' } });
      expect(await claim('found')).toMatchObject({ knows: 'found', item: { cmsId: 7, delivered: null } });
      await ledger.close();
    });
  });

  test('A ledger of the first tables gains the new columns, and its records are mapped again', async () => {
    const dispose = await newPlace();
    const run = { sync: 's', kind: 'run', holder: 'h', lease_until: 0, started_at: 0, counts: '{}', warnings: '[]' };
    const work = { ...content, backfill: 'b', key: 'a', op: 'create', desired: '{}', hash: 'h' };
    const { run: _, ...unread } = work;
    await createFormer(first, {
      records: [{ ...content, sync: 's', key: 'a', desired: '{}', hash: 'h', status: 'pending', source_hash: 'x' }],
      runs: ['success', 'held'].map((status) => ({ ...run, id: status, status, fingerprint: 'x' })),
      staged_changes: [{ run: 'held', key: 'a', op: 'unchanged', place: 'line 2' }],
      backfill_work: [unread],
    });
    expect(await isLedgerCurrent(options)).toBe(false);
    await (await openLedger(options)).close();
    const none = { series: null, slot: null };
    expect(await rowsOf('select source_hash, series, slot, refused_by from records')).toEqual([
      { source_hash: null, ...none, refused_by: null },
    ]);
    expect(await rowsOf('select status, fingerprint from runs order by status')).toEqual([
      { status: 'held', fingerprint: 'x' },
      { status: 'success', fingerprint: null },
    ]);
    expect(await rowsOf('select read_hash, series, slot from staged_changes')).toEqual([{ read_hash: null, ...none }]);
    expect(await rowsOf('select series, slot from backfill_work')).toEqual([none]);
    await dispose();
  });
});

async function insert<Tables>(db: Kysely<Tables>, table: string, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
    await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(db);
  }
}
