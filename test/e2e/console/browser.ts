import axe, { type Result } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';

/** Options that prevent requests of the browser itself: updates, look-ups, synchronisation. */
const QUIET = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const RULES = {
  /** What depends on the width of the window. */
  layout: { type: 'rule', values: ['target-size', 'scrollable-region-focusable'] },
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

/** Whether this test run has a browser. */
export const hasBrowser = Boolean(inject('chromium'));

export async function launchBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? [...QUIET, '--no-sandbox'] : QUIET;
  return chromium.launch({ executablePath: inject('chromium'), args });
}

/** A page with its complaints: errors of scripts, requests that failed, and requests to other hosts. */
export interface WatchedPage {
  page: Page;
  complaints: string[];
}

/** Opens a tab that records complaints of the browser, such as a violation of the content policy, and requests to other hosts. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ timezoneId: 'Asia/Tokyo', locale: 'en-GB', ...options });
  const complaints: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') complaints.push(`a request to ${request.url()}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, complaints };
}

/** Expects that axe has no finding in a page for WCAG 2.2 AA, and that the browser has no complaints. */
export async function expectAccessible(
  { page, complaints }: WatchedPage,
  rules: keyof typeof RULES = 'all',
): Promise<void> {
  // axe is evaluated as an expression of the test, because the page's content policy blocks other scripts.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly: RULES[rules], resultTypes: ['violations'] });
  const violations = await page.evaluate<Result[]>(`axe.run(document, ${options}).then((found) => found.violations)`);
  const findings = violations.map(({ help, nodes }) => `${help}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect({ page: page.url(), findings, complaints }).toEqual({ page: page.url(), findings: [], complaints: [] });
}

/** Returns the texts of links in a page that lead to different pages, so that a list of links would not say which is which. */
export async function ambiguousLinks(page: Page): Promise<string[]> {
  const links = await page
    .locator('main a[href]')
    .evaluateAll((all) =>
      all.map((link) => [link.textContent?.trim() ?? '', link.getAttribute('href') ?? ''] as const),
    );
  const targets = Map.groupBy(links, ([text]) => text);
  return [...targets].filter(([, same]) => new Set(same.map(([, href]) => href)).size > 1).map(([text]) => text);
}
