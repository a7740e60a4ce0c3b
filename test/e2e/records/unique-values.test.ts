import { describe, expect, test } from 'vitest';
import { writeCsv, writePeopleSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const uniqueEmails = { switches: { uniqueAccounts: ['email' as const] } };
const source = 'connector: csv, url: ./feeds/people.csv';
const map = 'username: login, email: mail, lastName: name';

/** Rows of people: id, login and the local part of the e-mail address. */
function write(site: Site, ...rows: string[]): void {
  const lines = rows.map((row) => {
    const [id, login, mail] = row.split(' ');
    return `${id},${login},${mail}@x.org,${login?.toUpperCase()}`;
  });
  writeCsv(site, 'people', 'id,login,mail,name', lines);
}

async function opened(more = '', engines = simplest): Promise<Site> {
  const site = await openSite(engines, uniqueEmails);
  writePeopleSync(site, more, { source, key: 'id', map });
  return site;
}

/** Says that the people of the feed are others than those who had their addresses. */
const distinct = (site: Site) => runHere(['retry', 'people', '--distinct'], site.variables);
const mails = async (site: Site) =>
  (await site.items('account/accounts')).map(({ id, email }) => `${id} ${String(email).split('@')[0]}`);

describe('Two accounts that swap a unique value', () => {
  test('Each refusal names the other record, every run tries again, and a change in the CMS ends it', async () => {
    await using site = await opened();
    write(site, '1 a a', '2 b b');
    await site.sync();
    write(site, '1 a b', '2 b a');
    const [report] = await site.sync();
    expect(report).toMatchObject({ status: 'partial', counts: { failed: 2 } });
    const reasons = report?.problems.map(({ reason }) => reason) ?? [];
    expect(reasons.toSorted()).toEqual([
      expect.stringContaining(
        'The email "b@x.org" still belongs to account 2 (record "2"), whose own change waits for this one.',
      ),
      expect.stringContaining(
        'The email "a@x.org" still belongs to account 1 (record "1"), whose own change waits for this one.',
      ),
    ]);
    site.writes();
    expect(await site.sync()).toMatchObject([{ counts: { failed: 2 } }]);
    expect(site.writes()).toEqual({ 'PATCH /account/accounts/:id': 2 });
    expect((await site.explain('people', '1')).verdict).toMatchObject({ is: 'update' });

    await site.request('PATCH', 'api/v1/account/accounts/1', { email: 'free@x.org' });
    await site.sync();
    await site.sync();
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
    expect(await mails(site)).toEqual(['1 b', '2 a']);
  });

  test.each(either(0))('A chain converges in one run, whatever its order, on $ledger with $queue', async (engines) => {
    await using site = await opened('', engines);
    write(site, '1 a a', '2 b b', '3 c c', '4 d d');
    await site.sync();
    write(site, '1 a b', '2 b c', '3 c d', '4 d e');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 4 } }]);
    write(site, '1 a a', '2 b b', '3 c c', '4 d d');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 4 } }]);
    expect(await mails(site)).toEqual(['1 a', '2 b', '3 c', '4 d']);
  });
});

describe('An address that passes on to another person', () => {
  test('moves no account, and the refusal names the account that has it', async () => {
    await using site = await opened();
    write(site, '1 anna desk', '2 b b');
    await site.sync();
    write(site, '3 nils desk', '2 b b');
    expect(await site.sync()).toMatchObject([{ counts: { created: 0, updated: 0, unchanged: 1, held: 1 } }]);
    await distinct(site);
    const [report] = await site.sync();
    expect(report).toMatchObject({ counts: { created: 0, updated: 0, unchanged: 1, failed: 1, missing: 1 } });
    const owner = 'The email "desk@x.org" still belongs to account 1 (record "1"), which is missing from the feed.';
    expect(report?.problems).toMatchObject([{ key: '3', reason: expect.stringContaining(owner) }]);
    expect(await site.items('account/accounts')).toMatchObject([
      { id: 1, username: 'anna', lastName: 'ANNA' },
      { id: 2 },
    ]);

    await site.request('DELETE', 'api/v1/account/accounts/1');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
  });

  test('is free when the other account is deleted', async () => {
    await using site = await opened('missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }');
    write(site, '1 anna desk', '2 b b');
    await site.sync();
    write(site, '3 nils desk', '2 b b');
    await site.sync();
    await distinct(site);
    await site.sync();
    await site.sync();
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
    expect(await mails(site)).toEqual(['2 b', '3 desk']);
  });

  test('makes a second account if the CMS takes it', async () => {
    await using site = await openSite(simplest);
    writePeopleSync(site, '', { source, key: 'id', map });
    write(site, '1 anna desk');
    await site.sync();
    write(site, '3 nils desk');
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { created: 0, held: 1 } }]);
    expect((await distinct(site)).exitCode).toBe(0);
    expect(await site.items('account/accounts')).toMatchObject([{ username: 'anna' }, { username: 'nils' }]);
  });

  test('is no new person if only the keys have changed', async () => {
    await using site = await opened();
    write(site, '1 anna desk', '2 b b');
    await site.sync();
    write(site, '0001 anna desk', '0002 b b');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2, created: 0, missing: 0 } }]);
  });

  test('is asked about, also if most keys have changed', async () => {
    await using site = await opened();
    write(site, '1 a a', '2 b b', '3 c c');
    await site.sync();
    write(site, '4 d a', '5 e b', '6 f c');
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 3, created: 0, missing: 0 } }]);
  });
});

test('A value that two records of the source have is refused once, until the other record changes', async () => {
  await using site = await opened();
  write(site, '1 a a', '2 b b');
  await site.sync();
  write(site, '1 a a', '2 b a');
  const [report] = await site.sync();
  expect(report?.problems).toMatchObject([
    { key: '2', reason: expect.stringContaining('still belongs to the record "1", which also has it') },
  ]);
  expect((await site.explain('people', '2')).verdict).toMatchObject({ is: 'refused' });
  site.writes();
  await site.sync();
  expect(site.writes()).toEqual({});
  write(site, '1 a c', '2 b a');
  await site.sync();
  await site.sync();
  expect(await mails(site)).toEqual(['1 c', '2 a']);
});
