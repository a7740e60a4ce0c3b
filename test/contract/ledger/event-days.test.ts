import { describe, expect, onTestFinished, test } from 'vitest';
import { sqliteFile } from '../../../src/ledger/database/open.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { hasEngine, ledgerEngines, temporaryDir } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';
import { recordStatements } from '../../support/sql-statements.ts';
import { tableScans } from '../../support/table-scans.ts';

interface TestEvent {
  key: string;
  date: string;
  endDate?: string;
  /** Days in the CMS; absent: as in the source. */
  inCms?: string;
}

const march = ['2027-03-01', '2027-03-02', '2027-03-03'] as const;
let nextId = 1;

// The events of a month, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('Event days in a ledger on %s', (engine) => {
  const opened = withLedger(engine);

  /** Delivers events; those with other days in the CMS are then changed by the source. */
  async function deliver(sync: string, events: readonly TestEvent[]): Promise<void> {
    const { runs, plans, records } = opened.ledger;
    const run = await runs.begin(sync, 'run');
    await plans.add(events.map((event) => stagedRow(run, event, 'create')));
    await plans.apply(run, sync);
    for (const event of events) {
      const [claimed] = await records.claim(sync, [event.key], 60_000);
      const delivered = { title: event.key, date: event.inCms ?? event.date };
      const cmsId = nextId++;
      const result = { is: 'created', cmsId, delivered, deliveredAttachments: {} } as const;
      await records.settle(claimed!, result);
    }
    await runs.finish(run);
    const moved = events.filter(({ inCms }) => inCms !== undefined);
    if (moved.length === 0) return;
    const next = await runs.begin(sync, 'run');
    await plans.add(moved.map((event) => stagedRow(next, event, 'update')));
    await plans.apply(next, sync);
    onTestFinished(async () => void (await runs.finish(next)));
  }

  async function keysOn(sync: string | undefined, limit = 10) {
    const { events, isCut } = await opened.ledger.records.eventsOn({ days: march, limit, ...(sync && { sync }) });
    return { keys: events.map(({ key }) => key).toSorted(), isCut };
  }

  test('Events that begin on the days or last until them, of one sync or of all', async () => {
    await deliver('talks', [
      { key: 'before', date: '2027-02-28' },
      { key: 'first', date: '2027-03-01' },
      { key: 'last', date: '2027-03-03', endDate: '2027-04-09' },
      { key: 'after', date: '2027-03-04' },
      { key: 'all along', date: '2027-01-01', endDate: '2027-12-31' },
      { key: 'over', date: '2027-01-01', endDate: '2027-02-28' },
    ]);
    await deliver('tours', [{ key: 'tour', date: '2027-03-02' }]);
    expect(await keysOn('talks')).toEqual({ keys: ['all along', 'first', 'last'], isCut: false });
    expect((await keysOn(undefined)).keys).toEqual(['all along', 'first', 'last', 'tour']);
    const { events } = await opened.ledger.records.eventsOn({ days: march, sync: 'tours', limit: 1 });
    expect(events).toEqual([
      { sync: 'tours', key: 'tour', cmsId: expect.any(Number), delivered: { title: 'tour', date: '2027-03-02' } },
    ]);
  });

  test('Events whose new days are not delivered yet', async () => {
    await deliver('moved', [{ key: 'away', date: '2027-06-01', inCms: '2027-03-02' }]);
    expect((await keysOn('moved')).keys).toEqual(['away']);
  });

  test('No more of a day than asked for', async () => {
    await deliver(
      'full',
      ['a', 'b', 'c'].map((key) => ({ key, date: '2027-03-02' })),
    );
    expect((await keysOn('full', 3)).isCut).toBe(false);
    expect(await keysOn('full', 2)).toEqual({ keys: [expect.any(String), expect.any(String)], isCut: true });
  });
});

test('The events of a month are read by indices', async () => {
  using dir = temporaryDir();
  using log = recordStatements('ledger.sqlite');
  const ledger = await openLedger({ dataDir: dir.path });
  log.statements.length = 0;
  await ledger.records.eventsOn({ days: march, limit: 5 });
  await ledger.records.eventsOn({ days: march, limit: 5, sync: 'talks' });
  await ledger.close();
  expect(log.statements.filter((statement) => statement.includes('starts_on'))).not.toEqual([]);
  expect(tableScans(sqliteFile(dir.path), log.statements)).toEqual([]);
});

function stagedRow(run: string, { key, date, endDate = date }: TestEvent, op: 'create' | 'update') {
  const row = { run, key, op, place: 'line 1', resource: 'events', attachments: '[]', changed: '["date"]' } as const;
  const desired = JSON.stringify({ title: key, date });
  return { ...row, desired, hash: `${op} ${key}`, starts_on: date, ends_on: endDate };
}
