import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OverviewView } from '../../../src/queries/views/overview.ts';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, png, type Site, simplest } from '../site.ts';

const cli = (site: Site, ...words: string[]) => runHere([...words, '--json'], site.variables);
const titles = async (site: Site) => (await site.items('calendar/events', '&sort=+id')).map(({ title }) => title);
const talk = (id: string, title: string) => `${id},${title},2027-03-0${id.slice(-1)},18:00`;
const long = 'A title that is much too long';

async function ruledSite(rules: string, ...rows: string[]): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site, `rules: ${rules}\n`);
  writeTalks(site, rows);
  return site;
}

describe('Rules', () => {
  test('A rejected record is reported, and keeps what the site has of it', async () => {
    const rule = '{ title: { maxLength: 12, then: reject, message: Shorten it. } }';
    await using site = await ruledSite(rule, talk('A1', 'Maps'), talk('A2', long));
    const rejection = {
      ...{ at: 'line 3', code: 'FF_RECORD_RULE', key: 'A2' },
      reason: `title: "${long}" has 29 characters, more than 12. Shorten it.`,
    };
    expect((await cli(site, 'preview', 'talks')).json()).toEqual(rejection);
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { created: 1, rejected: 1 } }]);
    const { at, code, key, reason } = rejection;
    expect((await cli(site, 'rejects', 'talks')).json()).toMatchObject({
      groups: [{ code, total: 1, first: [{ at, name: key, reason }] }],
    });

    const removing = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }';
    writeTalksSync(site, `rules: ${rule}\n${removing}`);
    writeTalks(site, [talk('A1', long), talk('A3', 'Ships')]);
    expect(await site.sync()).toMatchObject([{ counts: { created: 1, rejected: 1, missing: 0, deleted: 0 } }]);
    expect(await titles(site)).toEqual(['Maps', 'Ships']);
  });

  test('A record under a new key that a rule holds is the one that the site has', async () => {
    await using site = await ruledSite(
      '{ title: { maxLength: 40 } }',
      talk('A1', 'Maps of the harbour'),
      talk('A2', 'Ships'),
    );
    await site.sync();
    const removing = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }';
    writeTalksSync(site, `rules: { title: { matches: Maps$, then: hold } }\n${removing}`);
    writeTalks(site, [talk('B1', 'Maps of the harbour'), talk('A2', 'Ships and boats')]);
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { unchanged: 1, held: 1, deleted: 0 } }]);
    // A new title under a new key is the same event, if day and time are.
    writeTalks(site, [talk('C1', 'Maps of the old harbour'), talk('A2', 'Ships')]);
    expect(await site.sync()).toMatchObject([{ counts: { held: 1, deleted: 0 } }]);
    expect(await titles(site)).toEqual(['Maps of the harbour', 'Ships']);
  });

  test('Warnings of a rule are one, and the records are published', async () => {
    await using site = await ruledSite('{ title: { noneOf: [Maps, Ships] } }', talk('A1', 'Maps'), talk('A2', 'Ships'));
    const warnings = [{ at: 'line 2', message: 'title: "Maps" is not allowed (2 such; this is the first)' }];
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 }, warnings }]);
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2 }, warnings }]);
  });

  test('A held record waits for a person, or for the source, and a retry of all does not publish it', async () => {
    const rule = '{ title: { maxLength: 12, then: hold } }';
    await using site = await ruledSite(rule, talk('A1', long), talk('A2', long), talk('A3', long), talk('A4', 'Maps'));
    const plan = await site.withContext(planRun);
    expect(plan).toMatchObject({
      creates: 1,
      held: 3,
      problems: { length: 3, 0: { key: 'A1', code: 'FF_RECORD_RULE' } },
    });
    expect((await runHere(['plan', 'talks'], site.variables)).stdout).toContain('talks: 4 read, 1 to create, 3 held\n');
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { created: 1, held: 3 } }]);
    const reason = `title: "${long}" has 29 characters, more than 12.`;
    expect((await cli(site, 'questions', 'talks')).json()).toMatchObject({
      ...{ total: 3, questions: { 0: { id: 'A1', why: 'rule', reason } } },
    });
    const { attention } = (await cli(site, 'status')).json() as Pick<OverviewView, 'attention'>;
    expect(attention).toEqual([
      {
        ...{ is: 'reviews', sync: 'talks' },
        text: '3 events are held by a rule; the site keeps what it has of them.',
        remedy: 'Publish them, or leave them out: `feedferry questions talks`.',
      },
    ]);
    await cli(site, 'retry', 'talks');
    expect(await titles(site)).toEqual(['Maps']);
    expect(await cli(site, 'verify')).toMatchObject({ exitCode: 0 });

    const published = await cli(site, 'retry', 'talks', 'A1', '--publish');
    expect(published.json()).toMatchObject({ runs: [{ status: 'success', counts: { created: 1 } }] });
    const left = await cli(site, 'retry', 'talks', 'A2', '--leave');
    expect(left.json()).toMatchObject({ runs: [{ counts: { skipped: 1 } }] });
    writeTalks(site, [talk('A1', long), talk('A2', long), talk('A3', 'Ships'), talk('A4', 'Maps')]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, skipped: 1, unchanged: 2 } }]);
    expect((await titles(site)).toSorted()).toEqual([long, 'Maps', 'Ships'].toSorted());

    // What was left out stays so, whatever becomes of it; what was published is, for as long as it breaks the rule in the same way.
    const rows = (a1: string, a2: string) => [talk('A1', a1), talk('A2', a2), talk('A3', 'Ships'), talk('A4', 'Maps')];
    writeTalks(site, rows(`${long} again`, `${long} again`));
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 1, skipped: 1, unchanged: 2 } }]);
    writeTalks(site, rows('Short', 'Corrected'));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, created: 0, skipped: 1 } }]);
    expect(await site.explain('talks', 'A2')).toMatchObject({
      verdict: { is: 'skipped' },
      answer: { answer: 'leave' },
    });
    // Taken back, it is created although the feed is as it was.
    await cli(site, 'questions', 'talks', '--take-back', 'A2');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, skipped: 0 } }]);
  });

  test('A held change leaves the item as it is until it is published', async () => {
    await using site = await ruledSite('{ title: { maxLength: 12, then: hold } }', talk('A1', 'Maps'));
    await site.sync();
    writeTalks(site, [talk('A1', long)]);
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { updated: 0, held: 1 } }]);
    await cli(site, 'retry', 'talks', 'A1', '--leave');
    expect(await titles(site)).toEqual(['Maps']);
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 } }]);
    await cli(site, 'questions', 'talks', '--publish', 'A1');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
    expect(await titles(site)).toEqual([long]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1 } }]);
  });
});

describe('Rules about pictures', () => {
  const image = (rule: string) => `attachments: { image: { field: image, alt: caption } }\nrules: { image: ${rule} }\n`;
  const columns = 'id,title,date,start,image,caption';

  test('are judged before a picture is uploaded', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site, image('[{ image: { minWidth: 2 }, then: reject }, { image: { alt: true }, then: hold }]'));
    site.write('syncs/feeds/a.png', png(1));
    writeTalks(site, ['A1,Maps,2027-03-01,18:00,a.png,A map', 'A2,Ships,2027-03-02,18:00,,'], { columns });
    expect(await site.sync()).toMatchObject([{ counts: { created: 1, rejected: 1, uploaded: 0 } }]);
    expect((await cli(site, 'rejects', 'talks')).json()).toMatchObject({
      groups: [{ first: [{ reason: 'image: the picture "a.png" is 1 pixel wide, less than 2' }] }],
    });
    writeTalksSync(site, image('{ image: { minWidth: 1, alt: true }, then: hold }'));
    writeTalks(site, ['A1,Maps,2027-03-01,18:00,a.png,', 'A2,Ships,2027-03-02,18:00,,'], { columns });
    expect(await site.sync()).toMatchObject([{ counts: { held: 1, unchanged: 1, uploaded: 0 } }]);
    writeTalks(site, ['A1,Maps,2027-03-01,18:00,a.png,A map', 'A2,Ships,2027-03-02,18:00,,'], { columns });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, uploaded: 1 } }]);
  });
});

test('A picture of another server is fetched once to judge it, and not uploaded if it breaks a rule', async () => {
  await using site = await openSite(simplest);
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end(png(9));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const source = 'connector: csv, url: ./feeds/talks.csv, allowPrivateNetwork: true';
  const rule = 'rules: { image: { image: { minWidth: 2 }, then: reject } }';
  writeTalksSync(site, `attachments: { image: image }\n${rule}\n`, { source });
  writeTalks(site, [`1,Maps,2027-03-01,18:00,http://127.0.0.1:${port}/a.png`], {
    columns: 'id,title,date,start,image',
  });
  expect(await site.sync()).toMatchObject([{ counts: { rejected: 1, uploaded: 0 } }]);
  expect(await site.sync()).toMatchObject([{ counts: { rejected: 1, uploaded: 0 } }]);
  expect(asked).toBe(1);
});

test('Rules of several sources are judged on the merged event', async () => {
  await using site = await openSite(simplest);
  const source = (name: string) => `{ connector: csv, url: ./feeds/${name}.csv }`;
  site.write(
    'syncs/talks.yaml',
    `resource: events
sources: { hall: ${source('hall')}, city: ${source('city')} }
key: id
map: { title: title, date: date, time.start: start, location: place }
merge: { match: [title, date, time.start], fill: { location: [hall, city] } }
rules: { location: { required: true, then: reject } }
`,
  );
  const write = (name: string, ...rows: string[]) =>
    writeTalks(site, rows, { name, columns: 'id,title,date,start,place' });
  write('hall', '1,Maps,2027-03-01,18:00,', '2,Ships,2027-03-02,18:00,');
  write('city', 'a,Maps,2027-03-01,18:00,Town hall');
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { created: 1, rejected: 1 } }]);
  expect(await titles(site)).toEqual(['Maps']);
});
