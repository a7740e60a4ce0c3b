import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWebhookServer } from '../../support/alert-servers.ts';
import { serveWeb } from '../../unit/source/find/web.ts';
import { setFaults, threeTalks, writePeople, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { CONCERT, TALK, writeCalendar, writeCampus } from '../merge/two-calendars.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import { openSite, type Site } from '../site.ts';
import { ambiguousLinks, expectAccessible, hasBrowser, launchBrowser, openTab } from './browser.ts';
import { openHeldSite } from './held-site.ts';

const engines = { ledger: 'sqlite', queue: 'in-process' } as const;
/** Bytes of a page with its styles and scripts, without images. */
const MOST_BYTES = 60_000;
const TOKENS = { HTTP_TOKEN: 'for-approvers', HTTP_OPERATE_TOKEN: 'for-operators', HTTP_VIEW_TOKEN: 'for-viewers' };

async function openTalks(rows: readonly string[] = threeTalks): Promise<Site> {
  const site = await openSite(engines);
  writeTalksSync(site);
  writeTalks(site, rows);
  return site;
}

/** Adds a sync whose plan is held, because two of its three walks are missing from the feed; returns the run. */
async function holdWalks(site: Site): Promise<string> {
  const name = 'walks';
  const policy = 'missing: { policy: delete, after: 1 run, threshold: { percent: 25, absolute: 1 } }';
  writeTalksSync(site, policy, { name });
  const walks = ['W1,Hills,2027-03-11,18:00', 'W2,Woods,2027-03-12,18:00', 'W3,Coast,2027-03-13,18:00'];
  writeTalks(site, walks, { name });
  await site.sync([name]);
  writeTalks(site, walks.slice(0, 1), { name });
  const [report] = await site.sync([name]);
  return report?.run ?? '';
}

describe.runIf(hasBrowser)('In a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });

  afterAll(() => browser?.close());

  test('an uploaded feed becomes a sync that runs in four steps, each of them accessible, and short', async () => {
    await using site = await openTalks();
    const url = await serveConsole(site, { HTTP_EDIT: 'on' });
    const tab = await openTab(browser);
    const { page } = tab;
    await page.goto(url);
    await page.getByRole('link', { name: 'Add a feed' }).click();
    await expectAccessible(tab);
    await page.getByLabel('Address of the feed, or').fill('ftp://feeds.example.org/a.csv');
    await page.getByRole('button', { name: 'Read the feed' }).click();
    await expect.poll(() => page.evaluate(FOCUSED)).toContain('is not the address of a feed');
    // What was entered is still there, and the browser reports the status of the page.
    expect(await page.getByLabel('Address of the feed, or').inputValue()).toBe('ftp://feeds.example.org/a.csv');
    tab.complaints.length = 0;
    const buffer = Buffer.from('id,name,when,hall\n1,Maps,03/04/2027,A\n2,Ships,05/06/2027,B\n');
    await page.getByLabel('File of at most').setInputFiles({ name: 'walks.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Read the file' }).click();
    await expectAccessible(tab);
    await page.getByRole('radio', { name: /^day first/ }).check();
    await page.getByRole('button', { name: 'Answer' }).click();
    await expect.poll(() => page.getByText('the order is as you said').count()).toBe(1);
    await page.getByText('Change title').click();
    await page.getByLabel('and 2 for title').selectOption('hall');
    await page.getByRole('button', { name: 'Use these fields (title)' }).click();
    await page.waitForURL(/#line-title/);
    await expectStep(tab);
    // What no step says in its prose: the text of the file, codes, requests.
    expect(await page.evaluate('document.querySelector("main").innerText')).not.toMatch(/YAML|FF_|HTTP|[{}]/);
    await page.getByRole('link', { name: 'Preview →' }).click();
    await page.getByRole('button', { name: 'Show what a run would do' }).click();
    await expect.poll(() => page.getByText('Would be created').count()).toBe(1);
    expect(await page.evaluate('document.querySelector("main").innerText')).toMatch(/Maps – A[\s\S]*Sat 2027-04-03/);
    await expectStep(tab);
    await page.reload();
    await page.getByRole('link', { name: 'Save →' }).click();
    await page.getByLabel('Name of the sync').fill('city-walks');
    await expectStep(tab);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => page.getByRole('status').filter({ hasText: 'Saved. This is in force' }).count()).toBe(1);
    await expectStep(tab);
    expect(await site.sync(['city-walks'])).toMatchObject([{ counts: { created: 2 } }]);
  });

  test('eight clicks lead from the page of a calendar to its first event on the site', async () => {
    await using site = await openTalks();
    const dates = [1, 2, 3].map(
      (day) =>
        `BEGIN:VEVENT\r\nUID:w${day}@alder.invalid\r\nSUMMARY:Walk ${day}\r\nDTSTART:2027060${day}T090000Z\r\nDTEND:2027060${day}T100000Z\r\nEND:VEVENT\r\n`,
    );
    const calendar = (events: readonly string[]) =>
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`;
    const home = 'https://www.alder.invalid';
    await serveWeb({
      [`${home}/walks`]:
        '<!doctype html><title>Walks</title><a href="/walks.ics">Calendar</a> <a href="/last.ics">The last one</a>',
      [`${home}/walks.ics`]: calendar(dates),
      [`${home}/last.ics`]: calendar(dates.slice(2)),
    });
    const url = await serveConsole(site, { HTTP_EDIT: 'on' });
    const { page } = await openTab(browser);
    let clicks = 0;
    const click = async (role: 'button' | 'link' | 'radio', name: string | RegExp) => {
      clicks += 1;
      await page.getByRole(role, { name }).first().click();
    };
    await page.goto(url);
    await click('link', 'Add a feed');
    await page.waitForURL(/feeds.new/);
    await page.keyboard.type(`${home}/walks`);
    await click('button', 'Read the feed');
    await click('radio', /3 records, first "Walk 1", "Walk 2", "Walk 3"/);
    await click('button', 'Answer');
    await click('link', 'Preview →');
    await click('link', 'Save →');
    await click('button', 'Save');
    await click('button', 'Run now');
    await expect.poll(async () => (await site.items('calendar/events')).length).toBe(3);
    expect(clicks).toBeLessThanOrEqual(8);
  });

  /** A page is accessible and no wider than the screen at three widths, and of a height that one looks over. */
  async function expectStep(tab: Awaited<ReturnType<typeof openTab>>): Promise<void> {
    for (const width of [320, 380, 1280]) {
      await tab.page.setViewportSize({ width, height: 800 });
      await expectAccessible(tab);
      expect(await tab.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    expect(await tab.page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(1500);
  }

  test('a renamed field is mapped and saved from the page of the sync, and taken back with one click', async () => {
    await using site = await openTalks(threeTalks);
    const file = join(site.dir, 'config', 'syncs', 'talks.yaml');
    const before = readFileSync(file, 'utf8');
    writeFileSync(
      join(site.dir, 'config', 'syncs', 'feeds', 'talks.csv'),
      'id,titles,date,start\nT1,Maps,2027-03-01,18:00\n',
    );
    const url = await serveConsole(site, { HTTP_EDIT: 'on' });
    const tab = await openTab(browser);
    const { page } = tab;
    await page.goto(`${url}/syncs/talks`);
    await page.getByRole('link', { name: 'Change its fields' }).click();
    await page.waitForURL(/feeds/);
    await expectStep(tab);
    await page.getByRole('button', { name: 'Map it: read titles' }).click();
    await page.getByRole('link', { name: '3. Save' }).click();
    await page.getByRole('button', { name: 'Show what a run would do' }).click();
    await expect.poll(() => page.getByText('Would be created').count()).toBe(1);
    await expectStep(tab);
    await page.getByRole('link', { name: 'Save →' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => page.getByRole('heading', { name: 'Changes of talks' }).count()).toBe(1);
    await expectStep(tab);
    expect(readFileSync(file, 'utf8')).toBe(before.replace('title: title', 'title: titles'));
    await page.getByRole('button', { name: 'Take back' }).click();
    await expect.poll(() => page.getByText('takes back the edit of').count()).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('three clicks lead from the link of an alert to the approval of exactly that set', async () => {
    await using hook = await startWebhookServer();
    const { site, held } = await openHeldSite({ target: `alerts: { webhook: { url: "${hook.url}" } }\n` });
    await using _ = site;
    const url = await serveConsole(site);
    // The address of the console in the alert is the configured one.
    site.variables.HTTP_URL = url;
    writeTalks(site, threeTalks.slice(0, 1));
    await site.sync();
    const links = hook.received.all.flatMap(({ json }) => (json as { links?: Array<{ url: string }> }).links ?? []);
    const path = `/runs/${held}/plan`;
    const link = links.at(-1)?.url ?? `${url}${path}`;

    const tab = await openTab(browser);
    const { page } = tab;
    await page.goto(link);
    await expectAccessible(tab);
    const items = page.getByRole('region', { name: 'Items' }).getByRole('row');
    expect((await items.allInnerTexts()).slice(1).map((text) => /Ships|Tides/.exec(text)?.[0])).toEqual([
      'Ships',
      'Tides',
    ]);
    await page.getByRole('textbox', { name: 'Reason' }).click();
    await page.keyboard.type('the talks are cancelled');
    await page.getByRole('button', { name: 'Delete 2 events' }).click();
    await page.waitForURL(/\/runs\/[^/]+$/);
    await expect.poll(() => page.getByText('the talks are cancelled').count()).toBeGreaterThan(0);
    await expect.poll(async () => (await site.items('calendar/events')).length).toBe(1);

    // The plan is decided: who follows the link now is told so.
    await page.goto(`${url}${path}`);
    expect(await page.getByRole('button', { name: /Delete/ }).count()).toBe(0);
    expect(await page.locator('main').textContent()).toMatch(/Approved by .*the talks are cancelled/s);
    await expectAccessible(tab);
  });

  test('a plan that has changed since it was shown is not approved', async () => {
    const { site, held } = await openHeldSite();
    await using _ = site;
    const url = await serveConsole(site);
    const { page } = await openTab(browser);
    await page.goto(`${url}/runs/${held}/plan`);
    writeTalks(site, threeTalks.slice(1, 2));
    await site.sync();
    await page.getByRole('textbox', { name: 'Reason' }).fill('too late');
    await page.getByRole('button', { name: /^Delete/ }).click();
    await expect.poll(() => page.locator('main').textContent()).toContain('FF_APPROVE_STALE');
    expect(await site.items('calendar/events')).toHaveLength(3);
  });

  test('a sync is run now, followed while it runs, and undone', async () => {
    await using site = await openTalks();
    await setFaults(site, { kind: 'hold', method: 'POST' });
    const tab = await openTab(browser);
    const { page } = tab;
    await page.goto(`${await serveConsole(site)}/syncs/talks`);
    // A person who sees nothing hears what was done, and goes on from there; loaded again, the page does not repeat it.
    await page.getByText('Pause …').click();
    await page.getByLabel('Reason').fill('moving');
    await page.getByRole('button', { name: 'Pause the sync' }).click();
    await expect
      .poll(() => page.getByRole('status').allTextContents())
      .toContain('Paused: no run begins until the sync is resumed.');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('done');
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => page.getByRole('status').allTextContents()).toContain('Resumed.');
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.waitForURL(/\/runs\//);
    await expect.poll(() => page.locator('#content').textContent()).toMatch(/running/i);
    await setFaults(site);
    // Without a click: the page loads its content again.
    await expect.poll(() => page.locator('#content').textContent()).toContain('3 items were changed');
    await expectAccessible(tab);

    await page.getByRole('link', { name: /^Undo/ }).click();
    await expect.poll(() => page.locator('main').textContent()).toContain('Maps, 2027-03-01');
    await expectAccessible(tab);
    await page.getByRole('button', { name: /^Delete 3/ }).click();
    await page.waitForURL(/\/runs\/[^/]+$/);
    await expect.poll(() => site.items('calendar/events')).toHaveLength(0);
  });

  test('a failed record is found by a word, explained and retried, and another one adopted', async () => {
    await using site = await openTalks();
    await setFaults(site, { kind: 'error', status: 422, method: 'POST' });
    await site.sync();
    await setFaults(site);
    const item = await site.request('POST', 'api/v1/calendar/events', {
      ...{ title: 'Ships', date: '2027-03-02', endDate: '2027-03-02' },
      time: { type: 'fixed', start: '10:00:00', end: '10:00:00' },
    });
    const url = await serveConsole(site);
    const tab = await openTab(browser);
    const { page } = tab;
    await page.goto(`${url}/records`);
    await page.getByLabel(/Words/).fill('tides');
    await page.getByRole('button', { name: 'Search' }).click();
    await expectAccessible(tab);
    await page.getByRole('link', { name: 'Tides' }).click();
    await expectAccessible(tab);
    await page.getByRole('button', { name: /retry/i }).click();
    await page.waitForURL(/\/runs\//);
    await expect.poll(async () => (await site.items('calendar/events')).map(({ title }) => title)).toContain('Tides');

    await page.goto(`${url}/syncs/talks/record?key=T2`);
    await page.getByLabel(/number/i).fill(String(item.id));
    await page.getByRole('button', { name: /adopt/i }).click();
    await page.waitForURL(/\/runs\//);
    await page.goto(`${url}/syncs/talks/record?key=T2`);
    await expect.poll(() => page.locator('main').textContent()).toContain(`${item.id}`);
    expect((await site.items('calendar/events')).filter(({ title }) => title === 'Ships')).toHaveLength(1);
  });

  test('every page is accessible, small, and works without JavaScript and on a narrow screen', async () => {
    const linked = 'T5,https://talks.example.edu/2027/spring,2027-03-05,10:00';
    await using site = await openTalks([...threeTalks, 'T4,,2027-03-04,10:00', linked]);
    await site.sync();
    writeTalks(site, ['T1,Old Maps,2027-03-01,18:00', ...threeTalks.slice(1), 'T4,,2027-03-04,10:00', linked]);
    const [report] = await site.sync();
    const held = await holdWalks(site);
    const [item] = (await site.items('calendar/events')).filter(({ title }) => title === 'Ships');
    await site.request('PATCH', `api/v1/calendar/events/${item?.id}`, { title: 'Big ships' });
    await runHere(['verify', 'talks'], site.variables);
    writeCampus(site);
    writeCalendar(site, 'central', [
      ['1', ...CONCERT, 'By Mozart'],
      ['2', ...TALK, ''],
    ]);
    writeCalendar(site, 'music', [
      ['7', 'Requiem', '2031-03-01', '19:00', 'Great Hall', ''],
      ['8', 'Old Maps', '2031-03-02', '18:00', '', ''],
    ]);
    await site.sync(['campus']);
    const [asked] = (await runHere(['questions', 'campus', '--json'], site.variables)).json<{
      questions: Array<{ id: string }>;
    }>().questions;
    await runHere(['questions', 'campus', '--same', asked?.id ?? '', '--note', 'renamed'], site.variables);
    const url = await serveConsole(site);
    const paths = [
      ...['/', '/calendar?month=2027-03', '/doctor', '/records?words=maps', '/syncs/talks', '/syncs/talks/runs'],
      ...['/syncs/talks/records', '/syncs/talks/record?key=T1', '/syncs/talks/rejects'],
      ...[`/runs/${report?.run}`, `/runs/${report?.run}/undo`, '/syncs/talks/record?key=T1&with=both', '/nowhere'],
      ...['/syncs/talks/record?key=T1&with=cms', '/syncs/talks/record?key=T5'],
      ...['/day', '/rejects', `/runs/${held}/plan`, '/syncs/talks/purge', '/syncs/talks/verification'],
      ...['/syncs/campus', '/syncs/campus/questions', '/syncs/campus/record?key=central%2F1'],
    ];
    // Pages with all elements of all colours, and of all layouts.
    const varied = paths.filter((path) => /^\/$|calendar|questions|plan$|with=both|verification|^\/doctor/.test(path));
    const tab = await openTab(browser);
    const { page } = tab;
    for (const path of paths) {
      const isVaried = varied.includes(path);
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
      const bytes = await bytesOf(page, `${url}${path}`);
      expect({ path, isSmall: bytes < MOST_BYTES, bytes }).toMatchObject({ isSmall: true });
      // A page that is not there is an error of the page, not of the console.
      if (path === '/nowhere') tab.complaints.length = 0;
      for (const { rules, ...size } of SIZES) {
        await page.setViewportSize(size);
        if (rules === 'all' || isVaried) await expectAccessible(tab, rules);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect({ path, size, overflow: Math.max(0, width) }).toEqual({ path, size, overflow: 0 });
      }
      expect({ path, ambiguous: await ambiguousLinks(page) }).toEqual({ path, ambiguous: [] });
      const prose = await page.evaluate<string>(PROSE);
      if (!path.startsWith('/runs/'))
        expect({ path, technical: prose.match(TECHNICAL) ?? [] }).toEqual({ path, technical: [] });
      // The dark scheme changes colours alone, as `assets.test.ts` shows: at once, if motion is not wanted.
      if (!isVaried) continue;
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      await expectAccessible(tab, 'colours');
    }
    await page.goto(`${url}/syncs/talks`);
    await page.locator('#config-text summary').click();
    expect(await page.evaluate(REFRESH)).toBe('refreshed');
    // What a reader has opened stays open.
    expect(await page.locator('#config-text').getAttribute('open')).not.toBeNull();

    const { page: plain } = await openTab(browser, { javaScriptEnabled: false });
    for (const path of paths) {
      const bytes = await bytesOf(plain, `${url}${path}`);
      expect({ path, isSmall: bytes < MOST_BYTES, bytes }).toMatchObject({ isSmall: true });
      expect(await plain.locator('h1').count()).toBe(1);
    }
  });

  test('a feed full of markup runs nothing and shows it as text', async () => {
    const script = '<script>window.hacked = 1</script>';
    const image = '<img src=x onerror="window.hacked = 1">';
    await using site = await openTalks([
      `<b>1</b>,${script}${image.replaceAll('"', "'")},2027-03-01,18:00`,
      `"javascript:alert(1)",${script},yesterday,18:00`,
    ]);
    await site.sync();
    const url = await serveConsole(site);
    const { page, complaints } = await openTab(browser);
    const [run] = (await site.withApp((app) => app.ledger.runs.newest({ limit: 1 }))) ?? [];
    const key = encodeURIComponent('<b>1</b>');
    const paths = ['/', '/records?words=script', `/syncs/talks/record?key=${key}`, `/runs/${run?.run}`];
    const more = ['/syncs/talks/rejects', '/calendar?month=2027-03', `/syncs/talks/record?key=${key}&with=feed`];
    for (const path of [...paths, ...more, `/records?words=${encodeURIComponent(script)}`]) {
      await page.goto(`${url}${path}`);
      expect({ path, hacked: await page.evaluate('window.hacked') }).toEqual({ path, hacked: undefined });
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    }
    expect(complaints).toEqual([]);
    await page.goto(`${url}/records?words=script`);
    const found = await page.locator('main').textContent();
    expect(found).toContain(script);
    // The second one was rejected, and is found as well, with the reason.
    expect(found).toContain('"yesterday" is not a date');
  });

  test('each role sees and does what it may', async () => {
    const { site, held } = await openHeldSite();
    await using _ = site;
    writePeopleSync(site);
    writePeople(site, { email: 'ada@example.edu', login: 'ada' });
    await site.sync(['people']);
    const url = await serveConsole(site, TOKENS);
    const atLogIn = async () => {
      const tab = await openTab(browser);
      await tab.page.goto(`${url}/runs/${held}/plan`);
      expect(tab.page.url()).toContain('/login');
      return tab;
    };
    await expectAccessible(await atLogIn());
    const logIn = async (token: string, name: string) => {
      const tab = await atLogIn();
      await tab.page.getByLabel('Your name').fill(name);
      await tab.page.getByLabel('Token').fill(token);
      await tab.page.getByRole('button', { name: 'Log in' }).click();
      return tab;
    };
    const stranger = await logIn('a guess', 'Mallory');
    expect(stranger.page.url()).toContain('/login');

    const viewer = await logIn(TOKENS.HTTP_VIEW_TOKEN, 'Vera');
    await viewer.page.waitForURL(/\/plan$/);
    expect(await viewer.page.getByRole('button', { name: /Delete|Reject/ }).count()).toBe(0);
    await viewer.page.goto(`${url}/syncs/people/records`);
    const shown = await viewer.page.locator('main').textContent();
    expect(shown).toContain('a***@example.edu');
    expect(shown).not.toContain('ada@example.edu');
    expect(await viewer.page.getByRole('button', { name: 'Run now' }).count()).toBe(0);

    const operator = await logIn(TOKENS.HTTP_OPERATE_TOKEN, 'Otto');
    await operator.page.goto(`${url}/syncs/people`);
    await operator.page.getByRole('button', { name: 'Run now' }).click();
    await operator.page.waitForURL(/\/runs\//);
    await expect.poll(() => operator.page.locator('main').textContent()).toContain('Otto');
    await operator.page.goto(`${url}/syncs/people/records`);
    expect(await operator.page.locator('main').textContent()).toContain('ada@example.edu');

    const approver = await logIn(TOKENS.HTTP_TOKEN, 'Ann');
    await approver.page.waitForURL(/\/plan$/);
    await approver.page.getByRole('textbox', { name: 'Reason' }).fill('the feed was cut');
    await approver.page.getByRole('button', { name: 'Reject' }).click();
    await approver.page.waitForURL(/\/runs\/[^/]+$/);
    await expect.poll(() => approver.page.locator('main').textContent()).toMatch(/Ann[\s\S]*the feed was cut/);
    await approver.page.getByRole('button', { name: 'Log out' }).click();
    await approver.page.goto(url);
    expect(approver.page.url()).toContain('/login');
    expect(await site.items('calendar/events')).toHaveLength(3);
  });
});

const FOCUSED = 'document.activeElement.innerText';
/** What a page says outside folds, lists of keys and texts to copy. */
const PROSE = `(() => {
  const main = document.querySelector('main').cloneNode(true);
  for (const each of main.querySelectorAll('details, pre, .key, .unseen')) each.remove();
  return main.textContent;
})()`;
/** What editors do not read: codes, commands, run ids, and words of HTTP and of files. */
const TECHNICAL = /\bFF_[A-Z_]+|\b(?:YAML|HTTP|SHA|POST|PATCH|JSON)\b|\bfeedferry [a-z]+ |\b\d{8}-\d{6}-[0-9a-f]{6}\b/g;

/** What htmx does every 10 s. */
const REFRESH = `htmx.ajax('GET', location.pathname, { target: '#content', swap: 'innerMorph' }).then(() => 'refreshed')`;

const SIZES = [
  { width: 320, height: 640, rules: 'layout' },
  { width: 380, height: 740, rules: 'all' },
  { width: 1280, height: 720, rules: 'layout' },
] as const;

/** Loads a page, and returns how many bytes came over the wire for it, its styles and its scripts. */
async function bytesOf(page: Page, url: string): Promise<number> {
  const sizes: Array<Promise<number>> = [];
  const count = (request: Request) => {
    if (request.resourceType() === 'image') return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  };
  page.on('requestfinished', count);
  await page.goto(url, { waitUntil: 'load' });
  page.off('requestfinished', count);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
