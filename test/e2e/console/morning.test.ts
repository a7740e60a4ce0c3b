import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { OverviewView } from '../../../src/queries/views/overview.ts';
import { writeIllustratedSync, writeIllustratedTalks, writePeople, writePeopleSync } from '../fixtures.ts';
import { serveConsole } from '../serve-console.ts';
import { openSite, type Site } from '../site.ts';
import { hasBrowser, launchBrowser, openTab } from './browser.ts';

/** No page of these tasks is longer than about four screens. */
const MOST_PIXELS = 3_000;

// What an editor does in the morning, from the overview on, with the clicks that it takes. Typing is no click, Enter is.

const people = [
  { email: 'ada@example.edu', login: 'ada', first: 'Ada', last: 'Lovelace' },
  { email: 'eve@example.edu', login: 'eve', first: 'Eve', last: 'Moneypenny' },
  { email: 'bob@example.edu', login: 'bob', first: 'Bob', last: 'Builder' },
];

/** A site with a rejected event, an event without its picture, and a plan on hold that deletes two people. */
async function openMorning(): Promise<Site> {
  const site = await openSite({ ledger: 'sqlite', queue: 'in-process' });
  writeIllustratedSync(site);
  writeIllustratedTalks(
    site,
    'T1,Maps,2027-03-01,18:00,Old,gone.png',
    'T2,Ships,2027-03-02,10:00,,',
    'T3,Tides,soon,10:00,,',
  );
  writePeopleSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 25, absolute: 1 } }', {
    map: 'email: email, username: login, firstName: first, lastName: last',
  });
  writePeople(site, ...people);
  await site.sync();
  writePeople(site, ...people.slice(0, 1));
  await site.sync(['people']);
  return site;
}

test.runIf(hasBrowser)(
  'What an editor does in the morning takes few clicks',
  async () => {
    await using site = await openMorning();
    const url = await serveConsole(site);
    await using browser = await launchBrowser();
    const { page } = await openTab(browser);
    const clicks = new Map<string, number>();
    /** Height of the longest page of each task, and its time. */
    const figures = new Map<string, { pixels: number; seconds: number; since: number }>();
    let task = '';

    await begin('why is an event missing');
    await click(link('Find a record'));
    await page.getByLabel(/Words/).fill('tides');
    await enter();
    await shown(/"soon" is not a date/);

    await begin('find a person by e-mail, from any page');
    await page.goto(`${url}/day`);
    await page.keyboard.press('/');
    await page.keyboard.type('eve@example.edu');
    await enter();
    await shown(/Eve Moneypenny/);

    await begin('all rejects of a feed');
    await click(link('Show the rejects'));
    await shown(/1 of 3 records/);
    await shown(/"soon" is not a date/);

    await begin('write to the owner of the feed');
    await click(link('Show the rejects'));
    const mail = decodeURIComponent((await link('Write to the feed’s owner').getAttribute('href')) ?? '');
    expect(mail).toMatch(
      /^mailto:.*Hello,\s+We last read your feed “talks” on .*“soon” in the column “date” is not a valid date/s,
    );

    await begin('see the item on the site');
    await page.keyboard.press('/');
    await page.keyboard.type('maps');
    await enter();
    const item = await link(/^Show of Maps/).getAttribute('href');
    clicks.set(task, 2);
    expect((await fetch(`${url}${item}`)).url).toContain(site.sandbox.url);

    await begin('did the pictures arrive');
    await click(link('Show the run').first());
    await shown(/gone\.png/);

    await begin('compare the feed, what was delivered and the CMS');
    await click(link('Find a record'));
    await page.getByLabel(/Words/).fill('maps');
    await enter();
    await click(link(/^Maps/));
    await click(link('the feed and the CMS'));
    const heads = page.getByRole('table', { name: 'Attributes' }).getByRole('columnheader');
    await expect
      .poll(() => heads.allInnerTexts())
      .toEqual(['Attribute', 'In the feed now', 'Wanted', 'Delivered', 'In the CMS now']);
    await expect(page.getByRole('row', { name: /^image/ }).textContent()).resolves.toContain('Missing');

    await begin('approve the delete of people');
    await click(link('Review the plan'));
    await shown(/Eve Moneypenny/);
    await page.getByLabel(/Reason/).fill('they have left');
    await click(button('Delete 2 accounts'));
    await ended('people', { counts: { deleted: 2 } });

    await begin('undo a run');
    await click(
      page
        .getByRole('row', { name: /people/ })
        .getByRole('link')
        .nth(1),
    );
    await click(link(/^Undo/));
    await shown(/Eve Moneypenny/);
    await click(button(/^(Undo|Create)/));
    await expect.poll(async () => (await site.items('account/accounts')).length).toBe(3);

    await begin('what did today do');
    await click(link('Today'));
    await shown(/Eve Moneypenny/);
    await shown(/Ships/);

    await begin('run a sync now');
    writeIllustratedTalks(
      site,
      'T1,Maps,2027-03-01,18:00,New,',
      'T2,Ships,2027-03-02,10:00,,',
      'T3,Tides,2027-03-03,10:00,,',
    );
    await click(page.getByRole('link', { name: 'talks', exact: true }).first());
    await click(button('Run now'));
    await ended('talks', { counts: { created: 1 } });

    await begin('pause a sync');
    await click(page.getByRole('link', { name: 'talks', exact: true }).first());
    await click(page.getByText(/^Pause/).first());
    await page.getByRole('textbox', { name: 'Reason' }).fill('the feed moves');
    await click(button(/^Pause/));
    await page.goto(url);
    await shown(/the feed moves/);

    await measure();
    const longest = Math.max(...[...figures.values()].map(({ pixels }) => pixels));
    if (process.env.TEST_LONG)
      console.table(
        Object.fromEntries(
          [...figures].map(([name, { pixels, seconds }]) => [name, { clicks: clicks.get(name), pixels, seconds }]),
        ),
      );
    expect(longest).toBeLessThan(MOST_PIXELS);
    expect(Object.fromEntries(clicks)).toEqual({
      'why is an event missing': 2,
      'find a person by e-mail, from any page': 1,
      'all rejects of a feed': 1,
      'write to the owner of the feed': 1,
      'see the item on the site': 2,
      'did the pictures arrive': 1,
      'compare the feed, what was delivered and the CMS': 4,
      'approve the delete of people': 2,
      'undo a run': 3,
      'what did today do': 1,
      'run a sync now': 2,
      'pause a sync': 3,
    });

    async function begin(name: string): Promise<void> {
      await measure();
      task = name;
      figures.set(task, { pixels: 0, seconds: 0, since: performance.now() });
      await page.goto(url);
    }

    async function measure(): Promise<void> {
      const known = figures.get(task);
      if (!known) return;
      // A page that is being left has no height.
      const pixels = await page.evaluate<number>('document.documentElement.scrollHeight').catch(() => 0);
      const seconds = Math.round(performance.now() - known.since) / 1000;
      figures.set(task, { ...known, pixels: Math.max(known.pixels, pixels), seconds });
    }

    async function click(what: Locator): Promise<void> {
      clicks.set(task, (clicks.get(task) ?? 0) + 1);
      await measure();
      await what.click();
    }

    async function enter(): Promise<void> {
      clicks.set(task, (clicks.get(task) ?? 0) + 1);
      await page.keyboard.press('Enter');
    }

    /** Waits until the overview shows such a run, which has ended. */
    function ended(sync: string, run: object): Promise<void> {
      const lastRun = async () => {
        const { syncs } = (await (await fetch(`${url}/api/overview`)).json()) as OverviewView;
        return syncs.find((each) => each.sync === sync);
      };
      return expect.poll(lastRun, { timeout: 20_000 }).toMatchObject({ underWay: null, lastRun: run });
    }

    function link(name: string | RegExp): Locator {
      return page.getByRole('link', { name });
    }

    function button(name: string | RegExp): Locator {
      return page.getByRole('button', { name });
    }

    function shown(text: string | RegExp): Promise<void> {
      return page.locator('main').getByText(text).first().waitFor();
    }
  },
  90_000,
);
