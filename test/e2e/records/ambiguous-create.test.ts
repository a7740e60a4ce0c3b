import { describe, expect, test } from 'vitest';
import type { TestCmsOptions } from '../../support/cms/start-cms.ts';
import { feedferry, start } from '../feedferry.ts';
import { setFaults, writeCsv, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { combinations, type Engines, openSite, type Site, simplest, writeTarget } from '../site.ts';

const ROWS = 60;

/** A site whose items carry no external id: what a create left behind is known by what it is alone. */
async function plainSite(engines: Engines, options: TestCmsOptions = {}): Promise<Site> {
  const site = await openSite(engines, options);
  writeTarget(site, '  concurrency: 4\n  maxAttempts: 1\n  lookupAfter: 100ms\n');
  return site;
}

/** Creates are applied, and no answer comes. */
const applied = { kind: 'reset', when: 'after', method: 'POST' } as const;

function writeTalksWithEnds(site: Site, ...rows: string[]): void {
  writeTalksSync(site, '', { map: 'title: title, start: start, end: end' });
  writeTalks(site, rows, { columns: 'id,title,start,end' });
}

function writePeople(site: Site, rows: string[]): void {
  const source = 'connector: csv, url: ./feeds/people.csv';
  writePeopleSync(site, '', { source, key: 'id', map: 'email: email, username: login, lastName: name' });
  writeCsv(site, 'people', 'id,email,login,name', rows);
}

describe('Creates without a response', () => {
  test.each(['overlaps', 'starts'] as const)(
    'An event that has moved since its create is found by the dates that were sent (dates: %s)',
    async (dateFilter) => {
      await using site = await plainSite(simplest, { switches: { dateFilter } });
      writeTalksWithEnds(
        site,
        'T1,Maps,2027-03-01 18:00,2027-03-03 19:00',
        'T2,Ships,2027-03-02 18:00,2027-03-02 19:00',
      );
      await setFaults(site, applied);
      expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 2 } }]);

      await setFaults(site);
      writeTalksWithEnds(
        site,
        'T1,Old Maps,2027-06-01 10:00,2027-06-01 11:00',
        'T2,Ships,2027-03-02 18:00,2027-03-02 20:00',
      );
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
      const events = await site.items('calendar/events');
      expect(events.map(({ title, date, endDate }) => `${title} ${date} ${endDate}`).sort()).toEqual([
        'Old Maps 2027-06-01 2027-06-01',
        'Ships 2027-03-02 2027-03-02',
      ]);
      expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 2 });
    },
  );

  test('An account whose email has changed since its create is found by the old one, and no other account matches', async () => {
    await using site = await plainSite(simplest);
    writePeople(site, ['1,ada@example.edu,ada,Byron']);
    await setFaults(site, { kind: 'reset', when: 'after', method: 'POST', times: 1 });
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 } }]);

    writePeople(site, ['1,lovelace@example.edu,lovelace,Lovelace', '2,bob@example.edu,bob,Babbage']);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
    const accounts = await site.items('account/accounts');
    expect(accounts.map(({ email }) => email).sort()).toEqual(['bob@example.edu', 'lovelace@example.edu']);
  });

  test('An event that an editor has moved since its create is found by its external id', async () => {
    await using site = await openSite(simplest, { target: '  maxAttempts: 1\n' });
    writeTalksWithEnds(site, 'T1,Maps,2027-03-01 18:00,2027-03-01 19:00');
    await setFaults(site, applied);
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 } }]);
    await setFaults(site);
    await site.request('PATCH', 'api/v1/calendar/events/1', { date: '2027-09-01', endDate: '2027-09-01' });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
    expect(await site.items('calendar/events')).toMatchObject([{ title: 'Maps', date: '2027-03-01' }]);
  });

  test('A create that never arrived is sent again with the current values', async () => {
    await using site = await plainSite(simplest);
    writeTalksWithEnds(site, 'T1,Maps,2027-03-01 18:00,2027-03-01 19:00');
    await setFaults(site, { kind: 'reset', when: 'before', method: 'POST' });
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 } }]);
    await setFaults(site);
    writeTalksWithEnds(site, 'T1,Maps,2027-04-01 18:00,2027-04-01 19:00');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
    expect(await site.items('calendar/events')).toMatchObject([{ title: 'Maps', date: '2027-04-01' }]);
  });
});

// Killed BullMQ workers have tests of their own.
describe.each(combinations.filter(({ queue }) => queue === 'in-process'))('Killed processes, on $ledger', (engines) => {
  test('A killed run of accounts duplicates nothing, and the list is read once', async () => {
    await using site = await plainSite(engines, {
      switches: { attributesFilter: 'ignored', maxLimit: 25 },
    });
    const rows = Array.from({ length: ROWS }, (_, index) => `${index},p${index}@example.edu,p${index},Person ${index}`);
    writePeople(site, rows);
    const held = await setFaults(site, { kind: 'hold', method: 'POST', skip: 10 });
    const killed = start(['sync'], site.variables);
    await held(4);
    killed.child.kill('SIGKILL');
    await killed.finished;
    await setFaults(site);
    const readBefore = site.sandbox.stats().requests['GET /account/accounts'] ?? 0;

    const next = await feedferry(['sync', '--json'], site.variables);
    expect(next).toMatchObject({ exitCode: 0, stderr: '' });
    const reads = (site.sandbox.stats().requests['GET /account/accounts'] ?? 0) - readBefore;
    const emails = [];
    for (let page = 1; page <= Math.ceil(ROWS / 25); page += 1)
      emails.push(...(await site.items('account/accounts', `&page=${page}`)).map(({ email }) => email));
    expect(emails.sort()).toEqual(rows.map((row) => row.split(',')[1]).sort());
    // Whether the CMS can be reached; the first page; filters by two attributes; a list of three pages at most.
    expect(reads).toBeLessThanOrEqual(1 + 1 + 4 + 3);
  });
});

test('A record that matches several items is held and reported with a remedy', async () => {
  await using site = await plainSite(simplest);
  writePeople(site, ['1,ada@example.edu,ada,Lovelace']);
  await setFaults(site, applied);
  await site.sync();
  const headers = { Authorization: `Bearer ${site.sandbox.token}`, Accept: 'application/json', 'User-Agent': 'test' };
  const body = JSON.stringify({ email: 'ada@example.edu', username: 'ada' });
  await setFaults(site);
  const again = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body };
  expect((await fetch(`${site.sandbox.url}/api/v1/account/accounts`, again)).status).toBe(201);

  const [report] = await site.sync();
  expect(report).toMatchObject({ status: 'partial', counts: { held: 1 } });
  expect(report?.problems).toEqual([
    {
      key: '1',
      title: 'Lovelace, ada@example.edu',
      code: 'FF_CMS_AMBIGUOUS',
      reason: expect.stringMatching(
        /"1" may have been created already: .*ids 1, 2.*feedferry explain people "1" --adopt ID.*feedferry retry people "1"/,
      ),
    },
  ]);
  expect(await site.items('account/accounts')).toHaveLength(2);
});
