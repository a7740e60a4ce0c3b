import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { syncContent } from '../../../src/console/pages/sync.ts';
import { createLedgerQueries } from '../../../src/queries/create-queries.ts';
import { workbook } from '../../support/workbook.ts';
import { aContext } from '../../unit/console/sample-views.ts';
import { writeCsv, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

/** A sheet that people edit on another machine. */
async function publishSheet(content: string) {
  const sheet = { content, status: 200, answers: [] as number[] };
  const server = createServer((request, response) => {
    const etag = `"${Buffer.from(sheet.content).toString('base64url')}"`;
    const status = sheet.status === 200 && request.headers['if-none-match'] === etag ? 304 : sheet.status;
    sheet.answers.push(status);
    response.writeHead(status, { etag, 'content-type': 'text/csv' }).end(status === 200 ? sheet.content : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(sheet, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/export?format=csv`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function writeSync(site: Site, lookup: string, more = ''): void {
  writeTalksSync(site, '', {
    source: 'connector: csv, url: ./feeds/talks.csv, allowPrivateNetwork: true, retries: 0',
    map: `title: title, start: date, category: { field: kind, lookup: "${lookup}"${more} }`,
  });
}

const TALKS = ['1,Maps,2027-03-01,M', '2,Ships,2027-03-02,S', '3,Tides,2027-03-03,J', '4,Bass,2027-03-04,J'];

function writeKinds(site: Site): void {
  writeCsv(site, 'talks', 'id,title,date,kind', TALKS);
}

async function categories(site: Site): Promise<unknown[]> {
  const items = await site.items('calendar/events');
  return items.toSorted((one, other) => one.id - other.id).map(({ category }) => category);
}

test('A lookup table on the web is read once a run; its last good copy counts while it cannot be read', async () => {
  await using site = await openSite(simplest);
  await using sheet = await publishSheet('code,name\nM,Music\nS,Sea\n');
  writeSync(site, sheet.url, ', default: Other');
  writeKinds(site);
  const [first] = await site.sync();
  expect(first).toMatchObject({ status: 'success', counts: { created: 4 } });
  expect((await categories(site)).sort()).toEqual(['Music', 'Other', 'Other', 'Sea']);
  const seen = 'seen, but not in the lookup table (field "kind"): 2 records say "J"';
  expect(first?.warnings).toMatchObject([{ message: `category: ${seen}` }]);
  // The next run of the same feed reports it, too.
  const [second] = await site.sync();
  expect(second).toMatchObject({ counts: { unchanged: 4 }, warnings: [{ message: `category: ${seen}` }] });
  expect(sheet.answers).toEqual([200, 304]);
  const page = await site.withApp(async (app) => {
    const queries = createLedgerQueries(() => app);
    return String(syncContent(await queries.sync('talks'), [], aContext()).body);
  });
  expect(page).toContain('2 records say &quot;J&quot;');

  sheet.content = 'code,name\nM,Concerts\nS,Sea\nJ,Jazz\n';
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3, unchanged: 1 }, warnings: [] }]);
  expect((await categories(site)).sort()).toEqual(['Concerts', 'Jazz', 'Jazz', 'Sea']);

  for (const [content, status, reason] of [
    ['', 500, '500'],
    ['code,name\n', 200, 'no rows'],
    ['code,name\nM,Music\nM,More\n', 200, '"M" appears twice'],
    ['code\nM\n', 200, 'two columns'],
  ] as const) {
    Object.assign(sheet, { content, status });
    const [run] = await site.sync();
    expect(run).toMatchObject({ status: 'success', counts: { unchanged: 4, updated: 0 } });
    expect(run?.warnings).toMatchObject([
      { message: expect.stringMatching(/The lookup table of category .*are used/) },
    ]);
    expect(run?.warnings[0]?.message).toContain(reason);
  }
});

test('Without a copy, a lookup table that cannot be read fails the run', async () => {
  await using site = await openSite(simplest);
  await using sheet = await publishSheet('');
  sheet.status = 404;
  writeSync(site, sheet.url);
  writeKinds(site);
  const [run] = await site.sync();
  expect(run).toMatchObject({ status: 'failed', counts: { created: 0 } });
  expect(run?.error?.message).toContain('The lookup table of category cannot be read');
});

test('A lookup table may be a spreadsheet, also for a preview', async () => {
  await using site = await openSite(simplest);
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const row = (...texts: string[]) => `<row>${texts.map(cell).join('')}</row>`;
  const rows = [row('Code', 'Name'), row('M', 'Music'), row('S', 'Sea'), row('J', 'Jazz')];
  site.write('syncs/kinds.xlsx', workbook({ sheets: { Kinds: rows.join('') } }));
  writeSync(site, './kinds.xlsx');
  writeKinds(site);
  const { stdout } = await runHere(['preview', 'talks', '--json'], site.variables);
  expect(stdout).toContain('"category":"Jazz"');
  await site.sync();
  expect((await categories(site)).sort()).toEqual(['Jazz', 'Jazz', 'Music', 'Sea']);
});
