import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../../src/core/run.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import { type Engines, type Item, openSite, type Site, type SiteOptions, simplest, writeTarget } from '../site.ts';

/** A site with a sync "talks" that reads a table of events by their ids. */
async function openTalks(engines: Engines = simplest, rule = ''): Promise<Site> {
  const site = await openSite(engines);
  const map = 'map: { title: title, start: start, location: place }';
  const source = 'source: { connector: csv, url: ./talks.csv, timezone: America/New_York }';
  site.write('syncs/talks.yaml', `resource: events\n${source}\nkey: id\n${map}\n${rule}`);
  return site;
}

/** Rows `id,title,start,place`; rows that no test changes follow. */
async function read(site: Site, ...rows: string[]): Promise<RunReport | undefined> {
  const others = Array.from(
    { length: 6 },
    (_, index) => `o${index},Other ${index},2031-02-0${index + 1}T10:00,Room ${index}`,
  );
  site.write('syncs/talks.csv', ['id,title,start,place', ...rows, ...others, ''].join('\n'));
  const [report] = await site.sync(['talks']);
  return report;
}

async function openPeople(rule = '', options: SiteOptions = {}): Promise<Site> {
  const site = await openSite(simplest, options);
  const map = 'map: { username: login, email: mail, firstName: first, lastName: last }';
  site.write(
    'syncs/staff.yaml',
    `resource: accounts\nsource: { connector: csv, url: ./staff.csv }\nkey: id\n${map}\n${rule}`,
  );
  return site;
}

async function readPeople(site: Site, ...rows: string[]): Promise<RunReport | undefined> {
  const others = ['90,carl,carl@x.example,Carl,Dorn', '91,eva,eva@x.example,Eva,Fink'];
  site.write('syncs/staff.csv', ['id,login,mail,first,last', ...rows, ...others, ''].join('\n'));
  const [report] = await site.sync(['staff']);
  return report;
}

const answer = (site: Site, ...args: string[]) => runHere(['retry', ...args, '--json'], site.variables);
const events = async (site: Site) =>
  (await site.items('calendar/events')).filter(({ title }) => !String(title).startsWith('Other'));
const shown = (items: readonly Item[]) =>
  items.toSorted((one, other) => one.id - other.id).map(({ id, title, date }) => `${id} ${title} ${date}`);
const choir = 'a,Choir,2031-01-05T19:00,Hall';

describe('A new key and another small change', () => {
  test.each(either(0))('waits for an answer: "same" keeps the item, on $ledger with $queue', async (engines) => {
    await using site = await openTalks(engines);
    await read(site, choir);
    const [item] = await events(site);
    const report = await read(site, 'b,Choir practice,2031-01-05T19:00,Hall');
    expect(report).toMatchObject({
      status: 'partial',
      counts: { read: 7, unchanged: 6, held: 1, created: 0, missing: 0 },
      problems: [{ key: 'b', code: 'FF_KEY_CHANGED', reason: expect.stringContaining(`item ${item?.id}`) }],
    });
    // A retry of everything, and the same feed, only ask again.
    const asked = await runHere(['retry', 'talks'], site.variables);
    expect(asked.stdout).toContain('feedferry retry talks "b" --same');
    expect(await read(site, 'b,Choir practice,2031-01-05T19:00,Hall')).toMatchObject({ counts: { held: 1 } });
    expect((await site.explain('talks', 'b')).verdict.next).toContain('The next run asks again.');

    const same = await answer(site, 'talks', 'b', '--same');
    expect(same.json()).toMatchObject({ runs: [{ status: 'success', counts: { read: 1, updated: 1, created: 0 } }] });
    expect(shown(await events(site))).toEqual([`${item?.id} Choir practice 2031-01-05`]);
    expect(await read(site, 'b,Choir practice,2031-01-05T19:00,Hall')).toMatchObject({
      status: 'success',
      counts: { unchanged: 7, missing: 0 },
    });
    expect((await events(site))[0]?.source_key).toBe('talks:b');
    // The former key is known, whatever else changes.
    expect(await read(site, 'a,Concert,2031-01-06T20:00,Church')).toMatchObject({ counts: { updated: 1, created: 0 } });
  });

  test('waits for an answer: "distinct" creates it beside the other one, which is missing then', async () => {
    await using site = await openTalks(
      simplest,
      'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n',
    );
    await read(site, choir);
    expect(await read(site, 'b,Lecture,2031-01-05T19:00,Hall')).toMatchObject({
      counts: { held: 1, missing: 0, deleted: 0 },
    });
    const distinct = await answer(site, 'talks', '--distinct');
    expect(distinct.json()).toMatchObject({ runs: [{ status: 'success', counts: { created: 1 } }] });
    expect((await events(site)).map(({ title }) => title)).toEqual(['Choir', 'Lecture']);
    expect(await read(site, 'b,Lecture,2031-01-05T19:00,Hall')).toMatchObject({
      status: 'success',
      counts: { deleted: 1 },
    });
    expect((await events(site)).map(({ title }) => title)).toEqual(['Lecture']);
  });

  test('An answer is about the record, whatever keys it gets', async () => {
    await using site = await openTalks();
    await read(site, choir);
    const [item] = await events(site);
    await read(site, 'b,Choir practice,2031-01-05T19:00,Hall');
    expect(await read(site, 'c,Choir practice,2031-01-05T19:00,Hall')).toMatchObject({
      counts: { held: 1, created: 0 },
    });
    expect((await answer(site, 'talks', '--same')).json()).toMatchObject({ runs: [{ counts: { updated: 1 } }] });
    expect(await read(site, 'd,Choir practice,2031-01-05T19:00,Hall')).toMatchObject({
      counts: { unchanged: 7, held: 0 },
    });
    expect(shown(await events(site))).toEqual([`${item?.id} Choir practice 2031-01-05`]);
  });

  test('One answer is enough for all, and an approval answers nothing', async () => {
    await using site = await openTalks(
      simplest,
      'missing: { policy: delete, after: 1 run, threshold: { absolute: 1 } }\n',
    );
    const rows = (prefix: string, title: string) =>
      [1, 2, 3, 4].map((day) => `${prefix}${day},${title} ${day},2031-01-0${day}T19:00,Hall ${day}`);
    const kept = 'k,Tour,2031-04-01T10:00,Gate';
    await read(site, ...rows('a', 'Choir'), kept, 'x,Fair,2031-03-01T10:00,Square', 'y,Ball,2031-03-02T10:00,Castle');
    const ids = (await events(site)).filter(({ title }) => title !== 'Fair' && title !== 'Ball').map(({ id }) => id);
    const held = await read(site, ...rows('b', 'Choir practice'), kept);
    expect(held).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_MISSING' } });
    const approved = await site.approve('talks', held?.run ?? '');
    expect(approved).toMatchObject({ counts: { held: 4, created: 0, deleted: 2 } });
    expect((await answer(site, 'talks', '--same')).json()).toMatchObject({ runs: [{ counts: { updated: 4 } }] });
    expect((await events(site)).map(({ id }) => id)).toEqual(ids);
    expect(await read(site, ...rows('b', 'Choir practice'), kept)).toMatchObject({
      status: 'success',
      counts: { unchanged: 11 },
    });
  });

  test('What an incomplete feed lacks may still be there: nothing is recognised, and what resembles it waits', async () => {
    await using site = await openTalks();
    const rows = (prefix: string, title: string) =>
      [1, 2].map((day) => `${prefix}${day},${title},2031-01-0${day}T19:00,Hall`);
    const [fair, ball, tour] = [
      'x,Fair,2031-03-01T10:00,Square',
      'y,Ball,2031-03-02T10:00,Castle',
      't,Tour,2031-04-01T10:00,Gate',
    ] as const;
    await read(site, ...rows('a', 'Choir'), fair, ball, tour);
    // Ten rows look as if a limit had cut them.
    const cut = [...rows('b', 'Choir'), 'z,Lunch,2031-01-01T12:00,Café', fair];
    expect(await read(site, ...cut)).toMatchObject({ complete: false, counts: { read: 10, created: 1, held: 2 } });
    expect(await read(site, ...cut, ball, tour)).toMatchObject({ status: 'success', counts: { unchanged: 12 } });
    expect(await events(site)).toHaveLength(6);
  });

  test('`questions` shows both sides, stores an answer for the next run, and takes it back before', async () => {
    await using site = await openTalks();
    await read(site, choir);
    await read(site, 'b,Choir practice,2031-01-05T19:00,Hall');
    const ask = (...args: string[]) => runHere(['questions', 'talks', ...args], site.variables);
    const [question] = (await ask('--json')).json<{ questions: unknown[] }>().questions;
    expect(question).toMatchObject({
      id: 'b',
      why: 'keyChanged',
      records: [
        {
          key: 'b',
          source: 'in the feed',
          event: { title: 'Choir practice', day: '2031-01-05', start: '19:00', place: 'Hall' },
        },
        { key: 'a', source: expect.stringMatching(/^item \d+$/), event: { title: 'Choir' } },
      ],
    });
    expect((await ask('--same', 'b')).stdout).toContain('talks: the answer is stored. The next run acts on it.');
    expect((await ask()).stdout).toContain('No question is open');
    expect((await ask('--take-back', 'b')).stdout).toContain('feedferry questions talks --distinct b');
    expect(await ask('--same', 'x')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('FF_NOTHING_TO_DO'),
    });
    expect((await ask('--distinct')).exitCode).toBe(0);
    expect(await read(site, 'b,Choir practice,2031-01-05T19:00,Hall')).toMatchObject({
      counts: { created: 1, missing: 1 },
    });
    expect((await ask('--answered')).stdout).toMatch(/\(b\) ~ Choir, .* different +by /);
  });

  test('The console shows the questions, and takes one answer for all of a kind', async () => {
    await using site = await openTalks();
    await read(site, choir, 'b,Ball,2031-02-05T19:00,Barn');
    await read(site, 'c,Choir practice,2031-01-05T19:00,Hall', 'd,Gala,2031-02-05T19:00,Barn');
    const url = await serveConsole(site);
    const page = async () => (await fetch(`${url}/syncs/talks/questions`)).text();
    expect(await page()).toMatch(/All (?:<[^>]*>)?2(?:<[^>]*>)? of a kind.*Choir practice.*Gala/s);
    expect(await (await fetch(`${url}/api/overview`)).json()).toMatchObject({ syncs: [{ questions: 2 }] });
    const body = JSON.stringify({ questions: ['c', 'd'], answer: 'same' });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/api/syncs/talks/questions`, { method: 'POST', headers, body })).status).toBe(200);
    expect(await page()).toContain('No question is open.');
    expect(await read(site, 'c,Choir practice,2031-01-05T19:00,Hall', 'd,Gala,2031-02-05T19:00,Barn')).toMatchObject({
      status: 'success',
      counts: { updated: 2, created: 0 },
    });
  });

  test('An event some weeks later, or at another time, is a new one', async () => {
    await using site = await openTalks();
    await read(site, choir, 'n,Lunch,2031-01-05T12:00,Café');
    expect(await read(site, 'b,Lecture,2031-01-05T20:00,Hall', 'c,Choir,2031-03-12T19:00,Hall')).toMatchObject({
      status: 'success',
      counts: { created: 2, held: 0, missing: 2 },
    });
  });

  test.each([
    ['any', {}],
    ['that takes a login once only', { switches: { uniqueAccounts: ['username' as const] } }],
  ])('An account with the login of a missing one waits, on a CMS %s, and both answers end it', async (_, options) => {
    await using site = await openPeople('', options);
    await readPeople(site, '1,aberg,anna.berg@x.example,Anna,Berg', '2,dau,d@x.example,Dan,Au');
    const before = await site.items('account/accounts');
    expect(
      await readPeople(site, '7,aberg,anna.stein@x.example,Anna,Stein', '8,dau,dora.au@x.example,Dora,Au'),
    ).toMatchObject({
      counts: { held: 2, failed: 0 },
      problems: [{ code: 'FF_KEY_CHANGED' }, { code: 'FF_KEY_CHANGED' }],
    });
    expect((await answer(site, 'staff', '7', '--same')).json()).toMatchObject({ runs: [{ counts: { updated: 1 } }] });
    const distinct = await runHere(['retry', 'staff', '8', '--distinct'], site.variables);
    const dan = before.find(({ username }) => username === 'dau');
    if (distinct.exitCode !== 0) {
      // What the message says: the person who left gives the login up.
      expect(distinct.stdout).toContain(`account ${dan?.id} (record "2"), which is missing from the feed`);
      await site.request('DELETE', `api/v1/account/accounts/${dan?.id}`);
    }
    const rows = [
      '7,aberg,anna.stein@x.example,Anna,Stein',
      '8,dau,dora.au@x.example,Dora,Au',
      '9,new,new@x.example,New,One',
    ];
    expect(await readPeople(site, ...rows)).toMatchObject({ status: 'success', counts: { failed: 0, held: 0 } });
    const accounts = await site.items('account/accounts');
    const anna = before.find(({ username }) => username === 'aberg');
    expect(accounts.find(({ id }) => id === anna?.id)).toMatchObject({ email: 'anna.stein@x.example' });
    expect(accounts.filter(({ username, email }) => username === 'dau' && email === 'dora.au@x.example')).toHaveLength(
      1,
    );
  });
});

describe('A key that passes on', () => {
  test.each(either(1))(
    'An account that another person gets waits: "distinct" creates theirs, on $ledger with $queue',
    async (engines) => {
      await using site = await openSite(engines);
      const map = 'map: { username: login, email: mail, firstName: first, lastName: last }';
      site.write(
        'syncs/staff.yaml',
        `resource: accounts\nsource: { connector: csv, url: ./staff.csv }\nkey: login\n${map}\n`,
      );
      await readPeople(site, '1,jsmith,john.smith@x.example,John,Smith');
      await readPeople(site);
      expect(await readPeople(site, '2,jsmith,jane.smith@x.example,Jane,Smith')).toMatchObject({
        counts: { held: 1, updated: 0 },
        problems: [{ key: 'jsmith', code: 'FF_KEY_REUSED' }],
      });
      expect(await site.retry('staff')).toMatchObject({ counts: { held: 1 } });
      const distinct = await answer(site, 'staff', 'jsmith', '--distinct');
      expect(distinct.json()).toMatchObject({ runs: [{ status: 'success', counts: { created: 1 } }] });
      const accounts = await site.items('account/accounts');
      expect(accounts.filter(({ username }) => username === 'jsmith')).toMatchObject([
        { firstName: 'John', source_key: expect.stringMatching(/^staff:jsmith #\d+$/) },
        { firstName: 'Jane', source_key: 'staff:jsmith' },
      ]);
      expect(await readPeople(site, '2,jsmith,jane.smith@x.example,Jane,Smith')).toMatchObject({
        status: 'success',
        counts: { read: 3, unchanged: 3, missing: 1 },
      });
    },
  );

  test('"same" changes the account, and the next such change asks again', async () => {
    await using site = await openPeople();
    await readPeople(site, '1,jsmith,john.smith@x.example,John,Smith');
    await readPeople(site, '1,jdoe,jane.doe@x.example,Jane,Doe');
    expect((await answer(site, 'staff', '--same')).json()).toMatchObject({ runs: [{ counts: { updated: 1 } }] });
    expect(await site.items('account/accounts')).toHaveLength(3);
    expect(await readPeople(site, '1,jdoe,jane.doe@x.example,Jane,Doe')).toMatchObject({ counts: { unchanged: 3 } });
    expect(await readPeople(site, '1,mroe,max.roe@x.example,Max,Roe')).toMatchObject({ counts: { held: 1 } });
  });

  test('A marriage, a new address and a corrected name are changes', async () => {
    await using site = await openPeople();
    await readPeople(site, '1,aberg,anna.berg@x.example,Anna,Berg');
    expect(await readPeople(site, '1,astein,anna.stein@x.example,Anna,Stein')).toMatchObject({
      counts: { updated: 1 },
    });
    expect(await readPeople(site, '1,astein,anna.stein@x.example,Anne,Stein')).toMatchObject({
      counts: { updated: 1 },
    });
    expect(await readPeople(site, '1,astein,as@y.example,Anne,Stein')).toMatchObject({ counts: { updated: 1 } });
  });

  test('Keys that are positions do not move items that do not show them', async () => {
    await using site = await openTalks();
    writeTarget(site, '  concurrency: 4\n');
    const rows = ['Algebra', 'Botany', 'Chemistry'].map(
      (title, nth) => `${nth + 1},${title},2031-03-0${nth + 1}T09:00,Hall`,
    );
    await read(site, ...rows);
    const before = shown(await events(site));
    const shifted = rows.map((row, nth) => row.replace(/^\d/, String(nth + 2)));
    expect(await read(site, '1,Anatomy,2031-02-26T09:00,Hall', ...shifted)).toMatchObject({
      status: 'success',
      counts: { created: 1, held: 0 },
      warnings: [{ message: expect.stringContaining('3 records recognised under a key that was that of another one') }],
    });
    const after = await events(site);
    expect(shown(after).slice(0, 3)).toEqual(before);
    // The first one leaves.
    const back = shifted.map((row) => row.replace(/^\d/, (digit) => String(Number(digit) - 1)));
    expect(await read(site, ...back)).toMatchObject({ counts: { created: 0, held: 0 } });
    expect(await read(site, ...back, 'n,New,2031-07-01T10:00,Park')).toMatchObject({
      counts: { created: 1, missing: 1 },
    });
    expect(shown(await events(site)).slice(0, 3)).toEqual(before);
  });

  test('If items show the keys, records that exchange their contents wait', async () => {
    await using site = await openTalks();
    const [one, two] = ['Ball,2031-03-01T09:00,Hall', 'Gala,2031-03-02T09:00,Barn'];
    await read(site, `1,${one}`, `2,${two}`);
    expect(await read(site, `1,${two}`, `2,${one}`)).toMatchObject({ counts: { updated: 0, held: 2 } });
    expect((await answer(site, 'talks', '--same')).json()).toMatchObject({ runs: [{ counts: { updated: 2 } }] });
    expect((await events(site)).map(({ title, source_key }) => `${title} ${source_key}`).sort()).toEqual([
      'Ball talks:2',
      'Gala talks:1',
    ]);
  });

  test('A few events that become others wait, a single one does not unless it is over', async () => {
    await using site = await openTalks();
    await read(
      site,
      '1,Algebra,2031-03-01T09:00,Hall',
      '2,Botany,2031-03-02T09:00,Barn',
      '3,Ball,2021-03-02T09:00,Castle',
    );
    expect(
      await read(
        site,
        '1,Fair,2031-05-01T10:00,Hall',
        '2,Botany,2031-03-02T09:00,Barn',
        '3,Ball,2021-03-02T09:00,Castle',
      ),
    ).toMatchObject({ counts: { updated: 1 } });
    expect(
      await read(
        site,
        '1,Fair,2031-05-01T10:00,Hall',
        '2,Botany,2031-03-02T09:00,Barn',
        '3,Blood donation,2031-06-02T09:00,Gym',
      ),
    ).toMatchObject({ counts: { held: 1 } });
    expect((await answer(site, 'talks', '3', '--distinct')).json()).toMatchObject({
      runs: [{ counts: { created: 1 } }],
    });
    expect(
      await read(
        site,
        '1,Gala,2031-07-01T10:00,Park',
        '2,Zumba,2031-08-02T09:00,Gym',
        '3,Blood donation,2031-06-02T09:00,Gym',
      ),
    ).toMatchObject({ counts: { held: 2, updated: 0 } });
    expect((await events(site)).map(({ title }) => title).sort()).toEqual(['Ball', 'Blood donation', 'Botany', 'Fair']);
  });

  test('After a change of the config, other names are expected', async () => {
    await using site = await openTalks();
    writeTarget(site, '  concurrency: 4\n');
    site.write('syncs/talks.yaml', (await readConfig(site)).replace('title: title', 'title: place'));
    expect(await read(site, '1,Algebra,2031-03-01T09:00,Hall', '2,Botany,2031-03-02T09:00,Barn')).toMatchObject({
      counts: { created: 8 },
    });
    site.write('syncs/talks.yaml', (await readConfig(site)).replace('title: place', 'title: title'));
    expect(await read(site, '1,Algebra,2031-04-01T09:00,Hall', '2,Botany,2031-04-02T09:00,Barn')).toMatchObject({
      counts: { held: 0 },
    });
  });
});

describe('What the site shows twice', () => {
  test('`verify` names it also inside of a sync, unless a person has said that it is different', async () => {
    await using site = await openTalks();
    // A plan of an earlier version has created both.
    await read(site, choir, 'b,Choir practice,2031-01-05T19:00,Hall', 'c,Lecture,2031-02-05T19:00,Barn');
    const verify = () => runHere(['verify', 'talks', '--json'], site.variables);
    expect((await verify()).json()).toMatchObject({ verified: [{ drift: [] }] });
    await read(site, 'b,Choir practice,2031-01-05T19:00,Hall', 'd,Talk,2031-02-05T19:00,Barn');
    const [first, second] = await events(site);
    // What waits for an answer is no difference.
    expect((await verify()).json()).toMatchObject({
      verified: [{ drift: [{ key: 'a', cause: 'doubled', with: { key: 'b' } }] }],
    });
    expect([first, second]).toHaveLength(2);
    await answer(site, 'talks', 'd', '--distinct');
    expect((await verify()).json()).toMatchObject({ verified: [{ drift: [{ key: 'a', cause: 'doubled' }] }] });
    expect((await runHere(['acknowledge', 'talks', 'a'], site.variables)).exitCode).toBe(0);
  });
});

async function readConfig(site: Site): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return readFile(`${site.dir}/config/syncs/talks.yaml`, 'utf8');
}
