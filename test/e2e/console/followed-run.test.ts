import { once } from 'node:events';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readyAt } from '../address-of.ts';
import { start } from '../feedferry.ts';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { serveConsole } from '../serve-console.ts';
import { openSite, type Site, simplest } from '../site.ts';
import { hasBrowser, launchBrowser } from './browser.ts';

/** A run that has created one of its three items, and waits for the CMS until its faults are removed. */
async function openHeldRun() {
  const site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  await setFaults(site, { kind: 'hold', method: 'POST', skip: 1 });
  const ended = site.sync();
  await expect.poll(() => site.items('calendar/events')).toHaveLength(1);
  const run = await site.withApp(async ({ ledger }) => (await ledger.runs.lastBegun('talks'))?.run ?? '');
  return { site, run, ended };
}

function startConsole(site: Site, port: string) {
  return start(['console', '--port', port], { ...site.variables, LOG_LEVEL: 'info' });
}

/** What the page says that became of the records. */
async function counts(page: Page): Promise<string | null> {
  return page
    .locator('.facts > div', { has: page.getByText('Counts', { exact: true }) })
    .locator('dd')
    .textContent();
}

describe.runIf(hasBrowser)('The page of a run', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });

  afterAll(() => browser?.close());

  test('shows the counts so far, and keeps what is typed until the run has ended', async () => {
    const { site, run, ended } = await openHeldRun();
    await using _ = site;
    const url = await serveConsole(site);
    const page = await browser.newPage();
    await page.goto(`${url}/runs/${run}`);
    await page.getByText('Cancel this run').click();
    await page.getByRole('textbox', { name: /Reason/ }).fill('I am still typing');
    await expect.poll(() => counts(page)).toBe('3 read, 1 new');
    for (const _ of [1, 2]) await page.waitForResponse((response) => response.url().endsWith(run));
    expect(await page.getByRole('textbox', { name: /Reason/ }).inputValue()).toBe('I am still typing');

    await setFaults(site);
    await ended;
    await expect.poll(() => counts(page), { timeout: 20_000 }).toBe('3 read, 3 new');
    await expect.poll(() => page.getByText('This page follows the run').count()).toBe(0);
  });

  test('continues when the server is back, in more tabs than a browser has connections', async () => {
    const { site, run, ended } = await openHeldRun();
    await using _ = site;
    const first = startConsole(site, '0');
    const url = (await readyAt(first)) ?? '';
    const context = await browser.newContext();
    const pages: Page[] = [];
    for (let tab = 0; tab < 8; tab += 1) {
      const page = await context.newPage();
      await page.goto(`${url}/runs/${run}`);
      pages.push(page);
    }
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await setFaults(site);
    await ended;
    await readyAt(startConsole(site, new URL(url).port));
    for (const page of pages) await expect.poll(() => counts(page), { timeout: 20_000 }).toBe('3 read, 3 new');
  });
});
