import { describe, expect, test } from 'vitest';
import { writePeople, writePeopleSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const ada = { id: 'p1', email: 'ada@example.edu', login: 'ada', first: 'Ada', company: 'Engines' };

function writeStaff(site: Site, people: object[], more = 'adopt: { match: [email] }'): void {
  const map = 'email: email, username: login, firstName: first, company: company';
  writePeopleSync(site, more, { key: 'id', map });
  writePeople(site, ...people);
}

const put = (site: Site, body: object) => site.request('POST', 'api/v1/account/accounts', body);
const remove = (site: Site, { id }: { id: number }) => site.request('DELETE', `api/v1/account/accounts/${id}`);

/** Ada is held: two accounts of the CMS may be hers. */
async function ambiguousSite(engines = simplest) {
  const site = await openSite(engines);
  const one = await put(site, { email: ada.email, username: 'one', company: 'Engines' });
  const two = await put(site, { email: ada.email, username: 'two' });
  writeStaff(site, [ada]);
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { read: 1, held: 1 } }]);
  site.writes();
  return { site, one, two };
}

describe('Held records that the CMS may have', () => {
  test.each(either(0))(
    'A held record becomes the item that the operator names, and only the difference is sent, on $ledger with $queue',
    async (engines) => {
      const { site, one } = await ambiguousSite(engines);
      await using _ = site;
      const report = await site.adopt('people', 'p1', one.id);
      expect(report).toMatchObject({ status: 'success', counts: { read: 1, updated: 1 }, problems: [] });
      expect(site.writes()).toEqual({ 'PATCH /account/accounts/:id': 1 });
      const accounts = await site.items('account/accounts');
      expect(accounts).toHaveLength(2);
      expect(accounts.find(({ id }) => id === one.id)).toMatchObject({
        username: 'ada',
        firstName: 'Ada',
        source_key: 'people:p1',
      });
      const { record, history } = await site.explain('people', 'p1');
      expect(record).toMatchObject({ status: 'delivered', cmsId: one.id, maybeSent: false });
      // What the item had already was not sent.
      expect(history[0]?.sent?.attributes.sort()).toEqual(['firstName', 'source_key', 'username']);
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1 } }]);
      expect(site.writes()).toEqual({});
    },
  );

  test.each(either(1))(
    'A record whose item the CMS no longer has becomes the item that the operator names, on $ledger with $queue',
    async (engines) => {
      const site = await openSite(engines);
      await using _ = site;
      writeStaff(site, [ada], '');
      await site.sync();
      const [lost] = await site.items('account/accounts');
      // Another item, so that the CMS shows that its lists work.
      await put(site, { email: 'eve@example.edu', username: 'eve' });
      const copy = await put(site, { ...lost, id: undefined, lastName: 'Lovelace', company: 'Looms' });
      await remove(site, lost as { id: number });
      writeStaff(site, [{ ...ada, first: 'A.' }], '');
      expect(await site.sync()).toMatchObject([{ counts: { updated: 0 }, problems: [{ code: 'FF_CMS_UNPROVEN' }] }]);

      const report = await site.adopt('people', 'p1', copy.id);
      expect(report).toMatchObject({ status: 'success', counts: { read: 1, updated: 1 }, problems: [] });
      expect((await site.items('account/accounts')).find(({ id }) => id === copy.id)).toMatchObject({
        ...{ firstName: 'A.', lastName: 'Lovelace', company: 'Looms' },
      });
      expect((await site.explain('people', 'p1')).record).toMatchObject({ status: 'delivered', cmsId: copy.id });
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1 } }]);
    },
  );

  test('Retry matches a held record again: it stays held while ambiguous, and is adopted once it is unique', async () => {
    const { site, one, two } = await ambiguousSite();
    await using _ = site;
    const again = await site.retry('people');
    expect(again).toMatchObject({ status: 'partial', counts: { read: 1, held: 1 } });
    expect(again?.problems).toMatchObject([{ key: 'p1', code: 'FF_ADOPT_AMBIGUOUS' }]);
    expect(site.writes()).toEqual({});
    await remove(site, two);
    expect(await site.retry('people')).toMatchObject({ status: 'success', counts: { read: 1, updated: 1 } });
    expect(await site.items('account/accounts')).toMatchObject([{ id: one.id, username: 'ada' }]);
  });

  test('Retry creates a held record if the CMS no longer has the items', async () => {
    const { site, one, two } = await ambiguousSite();
    await using _ = site;
    await remove(site, one);
    await remove(site, two);
    expect(await site.retry('people', ['p1'])).toMatchObject({ status: 'success', counts: { read: 1, created: 1 } });
    expect(await site.items('account/accounts')).toMatchObject([{ username: 'ada' }]);
  });
});

test('A retry of one record does not adopt an item that may belong to another', async () => {
  await using site = await openSite(simplest);
  await put(site, { email: ada.email, username: 'one' });
  writeStaff(site, [ada, { ...ada, id: 'p2', login: 'ada2' }]);
  expect(await site.sync()).toMatchObject([{ counts: { held: 2 } }]);
  expect(await site.retry('people', ['p2'])).toMatchObject({
    counts: { read: 1, held: 1 },
    problems: [{ key: 'p2', reason: expect.stringContaining('matches 2 records') }],
  });
  expect(site.writes()).toEqual({});
});

test('A held record is looked up before its create although the sync no longer adopts', async () => {
  const { site, one, two } = await ambiguousSite();
  await using _ = site;
  writeStaff(site, [ada], '');
  expect(await site.retry('people')).toMatchObject({
    counts: { read: 1, held: 1, created: 0 },
    problems: [{ key: 'p1', code: 'FF_CMS_AMBIGUOUS', reason: expect.stringContaining(`ids ${one.id}, ${two.id}`) }],
  });
  await remove(site, two);
  await site.request('PATCH', `api/v1/account/accounts/${one.id}`, { username: ada.login });
  expect(await site.retry('people')).toMatchObject({ status: 'success', counts: { read: 1 } });
  expect(await site.items('account/accounts')).toMatchObject([{ id: one.id, firstName: 'Ada' }]);
});

test('Status lists held records first, with their reasons', async () => {
  const { site, one } = await ambiguousSite();
  await using _ = site;
  const { stdout } = await runHere(['status'], site.variables);
  expect(stdout).toMatch(new RegExp(`\\(p1\\): held FF_ADOPT_AMBIGUOUS "p1" is held.*ids ${one.id}`));
  const story = await site.explain('people', 'p1');
  expect(story.verdict.next).toMatch(/explain SYNC KEY --adopt ID/);
});

test('A deleted account may be assigned another item', async () => {
  await using site = await openSite(simplest);
  // An answer without any account would prove nothing.
  const other = await put(site, { email: 'grace@example.edu' });
  writeStaff(site, [ada]);
  await site.sync();
  const first = (await site.items('account/accounts')).find(({ id }) => id !== other.id);
  await remove(site, first!);
  writeStaff(site, [{ ...ada, first: 'Augusta' }]);
  expect(await site.sync()).toMatchObject([{ counts: { skipped: 1 } }]);
  const third = await put(site, { email: ada.email });
  expect(await site.adopt('people', 'p1', third.id)).toMatchObject({ status: 'success', counts: { updated: 1 } });
  expect(await site.items('account/accounts')).toMatchObject([
    { id: other.id },
    { id: third.id, firstName: 'Augusta' },
  ]);
  expect(await site.sync()).toMatchObject([{ counts: { unchanged: 1 } }]);
});

describe('The option explain --adopt', () => {
  const explain = (site: Site, key: string, id: string) =>
    runHere(['explain', 'people', key, '--adopt', id, '--json'], site.variables);

  test('The command prints the run', async () => {
    const { site, two } = await ambiguousSite();
    await using _ = site;
    const done = await explain(site, 'p1', String(two.id));
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(done.json()).toMatchObject({
      runs: [{ sync: 'people', status: 'success', counts: { read: 1, updated: 1 } }],
    });
  });

  test('The command refuses impossible assignments and changes nothing', async () => {
    const { site, one } = await ambiguousSite();
    await using _ = site;
    writeStaff(site, [ada, { ...ada, id: 'p2', email: 'eve@example.edu', login: 'eve' }]);
    await site.sync();
    const taken = (await site.items('account/accounts')).find(({ username }) => username === 'eve')!;
    site.writes();
    const refusals: Array<[key: string, id: string, code: string, says: RegExp]> = [
      ['p1', String(taken.id), 'FF_ADOPT_TAKEN', new RegExp(`item ${taken.id} belongs to the record "p2" of "people"`)],
      ['p2', String(one.id), 'FF_ADOPT_SETTLED', new RegExp(`"p2" of "people" is already CMS item ${taken.id}`)],
      ['p1', '99999', 'FF_ADOPT_ITEM', /no item 99999 among its accounts/],
      ['p9', String(one.id), 'FF_RECORD_UNKNOWN', /"p9"/],
      ['p1', 'one', 'FF_USAGE', /"one"/],
    ];
    for (const [key, id, code, says] of refusals) {
      const refused = await explain(site, key, id);
      expect(refused.exitCode).toBe(2);
      expect(refused.json()).toMatchObject({ error: { code, message: expect.stringMatching(says) }, runs: [] });
    }
    expect(site.writes()).toEqual({});
    expect((await site.explain('people', 'p1')).record).toMatchObject({ status: 'held' });
  });
});
