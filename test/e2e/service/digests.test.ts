import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { letterOf } from '../../../src/queries/site/owner-page.ts';
import { type MailServer, readMail, startMailServer } from '../../support/alert-servers.ts';
import { expectAccessible, hasBrowser, launchBrowser, openTab } from '../console/browser.ts';
import { writeIllustratedSync, writeIllustratedTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import { openSite, png, type Site, simplest } from '../site.ts';

const GOOD = ['T1,Maps,2099-03-01,18:00', 'T2,Ships,2099-03-02,10:00'];

/** @param owner keys of `owner`, an object in YAML's flow style */
async function openTalks(mail: MailServer, owner: string, more = ''): Promise<Site> {
  const email = `{ from: Feeds <feeds@example.edu>, to: web@example.edu, smtp: "smtp://127.0.0.1:${mail.port}" }`;
  const site = await openSite(simplest, { target: `alerts: { on: [], email: ${email} }\n` });
  writeTalksSync(site, `owner: ${owner}\n${more}`);
  return site;
}

async function run(site: Site, ...rows: string[]): Promise<void> {
  writeTalks(site, rows);
  await site.sync();
}

describe('The owner of a feed', () => {
  test('gets a digest that a person can read, nothing while nothing is new, and a word when all is well', async () => {
    await using mail = await startMailServer();
    await using site = await openTalks(mail, '{ email: rosa@example.org, name: Rosa, every: 1ms }');
    await run(site, ...GOOD);
    expect(mail.received.all).toEqual([]);

    await run(site, ...GOOD, 'T3,=Tides,yesterday,18:00', 'T4,Ask ada@example.edu,2099-03-04,25:71');
    await run(site, ...GOOD, 'T3,=Tides,yesterday,18:00', 'T4,Ask ada@example.edu,2099-03-04,25:71');
    expect(mail.received.all.map(({ to }) => to)).toEqual([['rosa@example.org']]);
    const [first] = mail.received.all.map(readMail);
    expect(mail.received.all[0]?.content).toMatch(
      /^From: Feeds <feeds@example.edu>\r\n(.*\r\n)*Reply-To: web@example.edu\r$/m,
    );
    const text = first?.parts.get('text/plain') ?? '';
    expect(first?.subject).toBe('2 entries of your feed “talks” cannot be published');
    expect(text).toContain('Hello Rosa,');
    expect(text).toContain(`* line 4: =Tides
  “yesterday” in the column “date” is not a valid date or time.
  Correct it, and write it in the same way as here: 2027-12-31.`);
    expect(text).toContain('“25:71” in the column “start” is not a valid date or time.');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const table = first?.parts.get('text/csv') ?? '';
    expect(table).toContain("line 4,'=Tides,");
    expect(table).toContain("T3,'=Tides,yesterday,18:00");
    const all = [...(first?.parts.values() ?? [])].join('\n');
    for (const secret of [/FF_/, /ada@/, /yaml/i, /feedferry/i, /127\.0\.0\.1/, /\brun\b/, /time\.start/])
      expect(all).not.toMatch(secret);

    await run(site, ...GOOD, 'T3,=Tides,yesterday,18:00', 'T5,Winds,soon,18:00');
    const [, second] = mail.received.all.map(readMail);
    expect(second?.parts.get('text/plain')).toContain('New since our last message: 1.');

    await run(site, ...GOOD);
    await run(site, ...GOOD);
    expect(mail.received.all.map((each) => readMail(each).subject)).toEqual([
      '2 entries of your feed “talks” cannot be published',
      '2 entries of your feed “talks” cannot be published',
      'Your feed “talks” is in order again',
    ]);
  });

  test('hears that the feed is missing or empty, and that all is well only once it is', async () => {
    await using mail = await startMailServer();
    await using site = await openTalks(mail, '{ email: rosa@example.org, every: 1ms }');
    site.variables.HTTP_URL = 'https://feeds.example.edu';
    site.variables.HTTP_TOKEN = 'only-admins';
    await run(site, ...GOOD);
    rmSync(join(site.dir, 'config/syncs/feeds/talks.csv'));
    await site.sync();
    await run(site);
    await run(site);
    const texts = mail.received.all.map((each) => readMail(each).parts.get('text/plain') ?? '');
    const [, path = ''] = /example\.edu(\/owners\S+)/.exec(texts[0] ?? '') ?? [];
    const page = async () => (await fetch((await serving) + path)).text();
    const serving = serveConsole(site);
    expect(await page()).toContain('Your feed has no entries.');
    // The mails wait; the page shows at once what is so.
    writeTalksSync(site, 'owner: rosa@example.org\n');
    rmSync(join(site.dir, 'config/syncs/feeds/talks.csv'));
    await site.sync();
    expect(await page()).not.toContain('Nothing is wrong');
    await run(site, ...GOOD);
    expect(await page()).toContain('Nothing is wrong with your feed.');
    expect(mail.received.all.map((each) => readMail(each).subject)).toEqual([
      'We cannot read your feed “talks”',
      'Your feed “talks” has no entries',
      'Your feed “talks” is in order again',
    ]);
  });

  test('does not hear that all is well while a plan is held', async () => {
    await using mail = await startMailServer();
    await using site = await openTalks(
      mail,
      '{ email: rosa@example.org, every: 1ms }',
      'missing: { policy: delete, after: 1 run, threshold: { percent: 10 } }\n',
    );
    const many = Array.from({ length: 20 }, (_, place) => `M${place},Talk ${place},2099-04-01,1${place % 9}:00`);
    await run(site, ...many, 'T3,Tides,yesterday,18:00');
    await run(site, ...GOOD);
    expect(mail.received.all.map((each) => readMail(each).subject)).toEqual([
      'An entry of your feed “talks” cannot be published',
    ]);
    await run(site, ...many);
    expect(mail.received.all.slice(1).map((each) => readMail(each).subject)).toEqual([
      'Your feed “talks” is in order again',
    ]);
  });

  test('hears of new things once a day', async () => {
    await using mail = await startMailServer();
    await using site = await openTalks(mail, 'rosa@example.org');
    await run(site, ...GOOD, 'T3,Tides,yesterday,18:00');
    await run(site, ...GOOD, 'T3,Tides,yesterday,18:00', 'T4,Winds,soon,18:00');
    expect(mail.received.all).toHaveLength(1);
  });

  test('hears of a feed that cannot be read, of cancelled events, and that all events are over', async () => {
    await using mail = await startMailServer();
    await using site = await openTalks(mail, '{ email: rosa@example.org, language: de, every: 1ms }');
    await run(site, 'T1,Maps,2020-03-01,18:00');
    site.write('syncs/feeds/talks.csv', 'nothing\n');
    await site.sync();
    const mails = mail.received.all.map(readMail);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Ihr Feed „talks“ enthält keine kommenden Termine',
      'Wir können Ihren Feed „talks“ nicht lesen',
    ]);
    expect(mails[0]?.parts.get('text/plain')).toContain('Der letzte Termin in Ihrem Feed war am 1. März 2020.');
    expect(mails[1]?.parts.get('text/plain')).toContain('Es fehlen Spalten, die wir brauchen.');
    expect(mails[1]?.parts.get('text/html')).toContain('<html lang="de">');
  });

  test('hears of files that cannot be read, and of cancelled events that are still on the site', async () => {
    await using mail = await startMailServer();
    await using site = await openTalks(mail, '{ email: rosa@example.org, every: 1ms }');
    writeIllustratedSync(site, 'owner: { email: rosa@example.org, every: 1ms }\n');
    writeIllustratedTalks(site, 'T1,Maps,2099-03-01,18:00,,gone.png');
    await site.sync();
    const calendar = (status: string) =>
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:c1\r\nSUMMARY:Concert\r\nDTSTART:20990401T180000Z\r\nSTATUS:${status}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
    site.write(
      'syncs/dates.yaml',
      'resource: events\nowner: max@example.org\nsource: { connector: ical, url: ./feeds/dates.ics }\n',
    );
    site.write('syncs/feeds/dates.ics', calendar('CONFIRMED'));
    await site.sync(['dates']);
    site.write('syncs/feeds/dates.ics', calendar('CANCELLED'));
    await site.sync(['dates']);
    const [files, cancelled] = mail.received.all.map(readMail);
    expect(files?.parts.get('text/plain')).toContain(
      '* line 2: Maps, March 1, 2099 at 6:00 PM\n  The file in the column “image” cannot be read.',
    );
    expect(files?.parts.get('text/csv')).toMatch(
      /^line 2,.*The file in the column “image” cannot be read.*,Maps,2099-03-01,18:00/m,
    );
    expect(cancelled?.subject).toBe('Cancelled events of your feed “dates” are still on the website');
    expect(cancelled?.parts.get('text/plain')).toMatch(/^\* event 1.*: Concert, April 1, 2099 at .*$/m);
  });

  test('reads the messages of rules that entries break', async () => {
    await using mail = await startMailServer();
    const rule = (then: string, message: string) => `[{ minLength: 4, then: ${then}, message: "${message}" }]`;
    await using site = await openTalks(
      mail,
      'rosa@example.org',
      `rules: { title: ${rule('hold', 'Use a longer title.')} }\n`,
    );
    await run(site, ...GOOD, 'T3,Abc,2099-03-05,18:00');
    writeTalksSync(site, `owner: max@example.org\nrules: { title: ${rule('reject', 'Write it out.')} }\n`, {
      name: 'other',
    });
    writeTalks(site, [...GOOD, 'T3,Abc,2099-03-05,18:00'], { name: 'other' });
    await site.sync(['other']);
    const [held, rejected] = mail.received.all.map((each) => readMail(each).parts.get('text/plain'));
    expect(held).toContain(
      '* line 4: Abc, March 5, 2099 at 6:00 PM\n  “Abc” in the column “title” has fewer than 4 characters.\n  Use a longer title.',
    );
    expect(rejected).toContain(
      '* line 4: Abc\n  “Abc” in the column “title” has fewer than 4 characters.\n  Write it out.',
    );
  });

  test('reads which column a held entry lacks something in, and has its values', async () => {
    await using mail = await startMailServer();
    await using site = await openTalks(
      mail,
      'rosa@example.org',
      'attachments: { image: { field: photo, alt: caption } }\nrules: { image: { image: { alt: true }, then: hold } }\n',
    );
    site.write('syncs/feeds/a.png', png(1));
    const columns = 'id,title,date,start,photo,caption';
    writeTalks(site, ['A1,Maps,2099-03-01,18:00,a.png,', 'A2,Ships,2099-03-02,18:00,a.png,'], { columns });
    await site.sync();
    const [{ parts } = { parts: new Map() }] = mail.received.all.map(readMail);
    expect(parts.get('text/plain')?.replaceAll(/\n +/g, ' ')).toContain(
      '* line 2: Maps, March 1, 2099 at 6:00 PM; line 3: Ships, March 2, 2099 at 6:00 PM The picture in the column “photo” has no description. Write one in the column “caption”.',
    );
    expect(parts.get('text/csv')).toContain('Maps,2099-03-01,18:00');
  });

  test('has a mail of its own, and hears only of its source of several', async () => {
    await using mail = await startMailServer();
    const email = `{ from: feeds@example.edu, to: web@example.edu, smtp: "smtp://127.0.0.1:${mail.port}" }`;
    await using site = await openSite(simplest, { target: `alerts: { on: [], email: ${email} }\n` });
    const source = (name: string, owner: string) =>
      `  ${name}: { connector: csv, url: ./feeds/${name}.csv, key: id, owner: ${owner}@example.org }\n`;
    site.write(
      'syncs/all.yaml',
      `resource: events
owner: all@example.org
map: { title: title, date: date, time.start: start }
sources:
${source('one', 'rosa')}${source('two', 'max')}`,
    );
    writeTalks(site, GOOD, { name: 'one' });
    writeTalks(site, ['T9,Winds,soon,18:00', 'T8,Stars,2099-03-02,10:00'], { name: 'two' });
    await site.sync();
    const mails = mail.received.all.map((each) => [each.to, readMail(each).parts.get('text/plain')] as const);
    expect(mails.map(([to]) => to)).toEqual([['all@example.org'], ['max@example.org']]);
    expect(mails[0]?.[1]).toContain('* two, line 2: Winds');
    expect(mails[1]?.[1]).toContain('* line 2: Winds');
    expect(mails[1]?.[1]).toContain('1 of 2 entries');
    expect(mail.received.all[0]?.content).toMatch(/^From: "?example.edu"? <feeds@example.edu>/m);
    expect(await site.withApp((app) => letterOf('all', app))).toMatchObject({ to: ['all@example.org'] });
    site.write(
      'syncs/all.yaml',
      readFileSync(join(site.dir, 'config/syncs/all.yaml'), 'utf8').replace(/^owner.*\n/m, ''),
    );
    const letter = await site.withApp((app) => letterOf('all', app));
    expect(letter?.to).toEqual(['rosa@example.org', 'max@example.org']);
  });

  test('of a list of people sees places and columns, but nothing of the people', async () => {
    await using mail = await startMailServer();
    const email = `{ from: feeds@example.edu, to: web@example.edu, smtp: "smtp://127.0.0.1:${mail.port}" }`;
    await using site = await openSite(simplest, { target: `alerts: { on: [], email: ${email} }\n` });
    site.write(
      'syncs/people.yaml',
      'resource: accounts\nowner: hr@example.org\nsource: { connector: csv, url: ./feeds/people.csv }\nkey: mail\nmap: { email: mail, website: site }\n',
    );
    site.write(
      'syncs/feeds/people.csv',
      'mail,site,name\nada@example.edu,https://a.example,Ada\nbob@example.edu,no site,Bob\n',
    );
    await site.sync();
    const [first] = mail.received.all.map(readMail);
    expect(first?.parts.get('text/plain')).toContain('* line 3\n  A value in the column “site” is not a web address.');
    expect([...(first?.parts.values() ?? [])].join('\n')).not.toMatch(/bob|no site/i);
  });
});

describe('The link in a digest', () => {
  const PUBLIC = 'https://feeds.example.edu';

  /** A site with a digest, its console, and the path of the link. */
  async function openLinked(mail: MailServer, owner: string) {
    const site = await openTalks(mail, owner);
    site.variables.HTTP_URL = PUBLIC;
    site.variables.HTTP_TOKEN = 'only-admins';
    await run(site, ...GOOD, 'T3,Tides,yesterday,18:00');
    const [first] = mail.received.all.map(readMail);
    const [, path = ''] = /https:\/\/feeds\.example\.edu(\S+)/.exec(first?.parts.get('text/plain') ?? '') ?? [];
    return { site, path, url: await serveConsole(site) };
  }

  test('opens the page of this feed alone, in the language of the owner, until it is revoked', async () => {
    await using mail = await startMailServer();
    const { site, path, url } = await openLinked(mail, '{ email: rosa@example.org, language: fr }');
    await using _ = site;
    const response = await fetch(url + path);
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('x-robots-tag')).toContain('noindex');
    expect(page).toContain('<html lang="fr">');
    expect(page).toContain('«\u00a0yesterday\u00a0» dans la colonne «\u00a0date\u00a0» n’est ni une date');
    expect(page).not.toMatch(/FF_|rosa@|href="\/(?!assets)|<form|<script/);
    expect((await fetch(url + path, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(url + path, { method: 'POST' })).status).toBe(404);

    // The page is live.
    await run(site, ...GOOD);
    expect(await (await fetch(url + path)).text()).toContain('Votre flux est en ordre.');

    const revoked = await runHere(['alerts', 'revoke', 'talks'], site.variables);
    expect(revoked.exitCode).toBe(0);
    expect((await fetch(url + path)).status).toBe(404);
  });

  test('is not accepted if it is forged, has expired, or is of another sync or person', async () => {
    await using mail = await startMailServer();
    const { site, path, url } = await openLinked(mail, 'rosa@example.org');
    await using _ = site;
    const [, , sync = '', link = ''] = path.split('/');
    const [person = '', until = '', signature = ''] = link.split('.');
    const later = (Number.parseInt(until, 36) + 1).toString(36);
    const turned = [...signature].toReversed().join('');
    writeTalksSync(site, '', { name: 'other' });
    writeTalks(site, GOOD, { name: 'other' });
    for (const wrong of [
      `/owners/${sync}/${person}.${later}.${signature}`,
      `/owners/${sync}/${person}.${until}.${turned}`,
      `/owners/${sync}/abc.${until}.${signature}`,
      `/owners/other/${link}`,
      `/owners/${sync}/${link}x`,
      `/owners/nothing/${link}`,
    ]) {
      const response = await fetch(url + wrong);
      expect([wrong, response.status]).toEqual([wrong, 404]);
      expect(await response.text()).toContain('This link does not work');
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Number.parseInt(until, 36) + 1 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await fetch(url + path)).status).toBe(404);
  });
});

test.runIf(hasBrowser)(
  'The mail, the page of a feed and the list of hearers are accessible, also in the dark',
  async () => {
    await using mail = await startMailServer();
    await using site = await openTalks(mail, '{ email: rosa@example.org, language: de }');
    site.variables.HTTP_URL = 'https://feeds.example.edu';
    await run(site, ...GOOD, 'T3,Tides,yesterday,18:00');
    const [first] = mail.received.all.map(readMail);
    const [, path = ''] = /example\.edu(\/owners\S+)/.exec(first?.parts.get('text/plain') ?? '') ?? [];
    const url = await serveConsole(site);
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    for (const colorScheme of ['light', 'dark'] as const) {
      const tab = await openTab(browser, { colorScheme, viewport: { width: 320, height: 800 } });
      await tab.page.setContent(first?.parts.get('text/html') ?? '');
      await expectAccessible(tab);
      await tab.page.goto(url + path);
      await expectAccessible(tab);
      await tab.page.goto(`${url}/alerts`);
      await expectAccessible(tab);
    }
    const { page } = await openTab(browser);
    await page.goto(`${url}/doctor`);
    await page.getByRole('link', { name: 'Who hears what' }).click();
    await page
      .getByRole('row', { name: /rosa@example.org/ })
      .getByRole('button', { name: 'Test' })
      .click();
    await page.getByText('Test messages were sent').waitFor();
    expect(mail.received.all.slice(1).map(({ to }) => to)).toEqual([['web@example.edu'], ['rosa@example.org']]);
  },
);
