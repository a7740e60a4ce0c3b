import { describe, expect, test } from 'vitest';
import { type PlannedChange, planRun } from '../../../src/sync/runs/plan-run.ts';
import { writeCsv, writePeople, writePeopleSync, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type Item, openSite, type Site, simplest } from '../site.ts';

const put = (site: Site, resource: 'calendar/events' | 'account/accounts', body: object): Promise<Item> =>
  site.request('POST', `api/v1/${resource}`, body);

function writeStaff(site: Site, people: object[], more = ''): void {
  const map = 'email: email, username: login, firstName: first, company: company';
  writePeopleSync(site, `adopt: { match: [email] }\n${more}`, { key: 'id', map });
  writePeople(site, ...people);
}

const ada = { id: 'p1', email: 'ada@example.edu', login: 'ada', first: 'Ada', company: 'Engines' };
const alan = { id: 'p2', email: 'alan@example.edu', login: 'alan', first: 'Alan', company: 'Park' };

describe('Adoption', () => {
  test('Existing items are adopted and patched, the rest is created, and nothing is duplicated', async () => {
    await using site = await openSite(simplest);
    const hers = await put(site, 'account/accounts', { email: ' ADA@example.edu', username: 'ada', firstName: 'A.' });
    for (let index = 0; index < 130; index++) {
      await put(site, 'account/accounts', { email: `other${index}@example.edu`, username: `other${index}` });
    }
    const his = await put(site, 'account/accounts', {
      email: alan.email,
      username: alan.login,
      firstName: alan.first,
      company: alan.company,
      source_key: 'people:p2',
    });
    const grace = { id: 'p3', email: 'grace@example.edu', login: 'grace', first: 'Grace', company: 'Navy' };
    writeStaff(site, [ada, alan, grace]);

    const changes: PlannedChange[] = [];
    const planned = await site.withContext((context) => planRun(context, (page) => void changes.push(...page)));
    expect(planned).toMatchObject({ creates: 1, updates: 2, cost: { creates: 1, patches: 1 } });
    expect(changes).toMatchObject([
      { key: 'p1', op: 'update', adopts: hers.id },
      { key: 'p2', op: 'update', adopts: his.id, changed: [] },
      { key: 'p3', op: 'create' },
    ]);
    expect(site.writes()).toEqual({});

    const [report] = await site.sync();
    expect(report).toMatchObject({ status: 'success', counts: { read: 3, created: 1, updated: 1, unchanged: 1 } });
    expect(site.writes()).toEqual({ 'POST /account/accounts': 1, 'PATCH /account/accounts/:id': 1 });
    const found = await site.items('account/accounts', `&attributes[username]=ada`);
    expect(found).toMatchObject([{ id: hers.id, email: ada.email, firstName: 'Ada', source_key: 'people:p1' }]);

    writeStaff(site, [ada, { ...alan, company: 'Bletchley' }, grace]);
    expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 2 } }]);
    expect(site.writes()).toEqual({ 'PATCH /account/accounts/:id': 1 });

    // An item that belongs to a record is not given to another.
    writeStaff(site, [ada, { ...alan, company: 'Bletchley' }, grace, { ...ada, id: 'p9', login: 'ada2' }]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 3 } }]);
  });

  test.each(either(0))(
    'Records without a unique match are held and listed until the match is unique, on $ledger with $queue',
    async (engines) => {
      await using site = await openSite(engines);
      const one = await put(site, 'account/accounts', { email: 'ada@example.edu', username: 'one' });
      const two = await put(site, 'account/accounts', { email: 'Ada@example.edu', username: 'two' });
      const his = await put(site, 'account/accounts', { email: 'alan@example.edu', username: 'alan' });
      const foreign = await put(site, 'account/accounts', { email: 'eve@example.edu', source_key: 'staff:17' });
      const eve = { id: 'p4', email: 'eve@example.edu', login: 'eve', first: 'Eve', company: 'Mallory' };
      writeStaff(site, [ada, alan, { ...alan, id: 'p3' }, eve]);

      expect((await site.withContext(planRun)).problems.map(({ key }) => key)).toEqual(['p1', 'p2', 'p3', 'p4']);
      const [report] = await site.sync();
      expect(report).toMatchObject({ status: 'partial', counts: { read: 4, held: 4, created: 0, updated: 0 } });
      expect(report?.problems).toMatchObject([
        {
          key: 'p1',
          title: 'Ada, ada@example.edu',
          code: 'FF_ADOPT_AMBIGUOUS',
          reason: expect.stringContaining(`ids ${one.id}, ${two.id}`),
        },
        { key: 'p2', code: 'FF_ADOPT_AMBIGUOUS', reason: expect.stringContaining(`CMS item ${his.id} matches 2`) },
        { key: 'p3', code: 'FF_ADOPT_AMBIGUOUS', reason: expect.stringContaining('"p2", "p3"') },
        { key: 'p4', code: 'FF_ADOPT_AMBIGUOUS', reason: expect.stringContaining(`item ${foreign.id}`) },
      ]);
      expect(site.writes()).toEqual({});

      writeStaff(site, [{ ...ada, email: 'ada@other.edu' }, alan]);
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, updated: 1 } }]);
      expect((await site.items('account/accounts')).find(({ id }) => id === his.id)).toMatchObject({
        firstName: 'Alan',
      });
    },
  );

  test('Events match by title and date, field ownership is respected, and failed requests are repeated', async () => {
    await using site = await openSite(simplest, {
      faults: { seed: 3, faults: [{ kind: 'error', rate: 0.5, when: 'before', method: 'PATCH' }] },
      target: '  maxAttempts: 20\n  maxBackoff: 1s\n',
    });
    const time = { start: '18:00:00', end: '19:00:00', type: 'timed' };
    const days = { date: '2027-03-01', endDate: '2027-03-01', time };
    const maps = await put(site, 'calendar/events', { title: 'Old  maps', description: 'Edited', ...days });
    const ships = await put(site, 'calendar/events', { title: 'Ships', ...days });
    await put(site, 'calendar/events', { title: 'Ships', ...days, date: '2027-03-02', endDate: '2027-03-02' });
    writeTalksSync(site, 'authority: { description: editor, time: initial }\nadopt: { match: [title, date] }', {
      map: 'title: title, description: text, date: date, time.start: start, time.end: end',
    });
    const rows = ['T1,old maps,Text,2027-03-01,20:00,21:00', 'T2,Ships,Sails,2027-03-01,18:00,19:00'];
    writeCsv(site, 'talks', 'id,title,text,date,start,end', rows);

    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, updated: 2 } }]);
    const events = await site.items('calendar/events');
    expect(events).toHaveLength(3);
    const eventOf = (id: number) => events.find((event) => event.id === id);
    expect(eventOf(maps.id)).toMatchObject({
      title: 'old maps',
      description: 'Edited',
      time: { start: '18:00:00' },
      source_key: 'talks:T1',
    });
    expect(eventOf(ships.id)).toMatchObject({ description: 'Sails', source_key: 'talks:T2' });
    site.writes();
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 } }]);
    expect(site.writes()).toEqual({});
  });
});
