import { afterAll, beforeAll, expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

const texts = [
  'Register: <https://example.edu/r/7> or write to Ana <ana@example.edu>',
  '<p>Bring <b>a lamp</b></p><iframe src="https://v.example/1"></iframe>',
  'Arts & Crafts',
  '',
];
const events = texts.map((text, index) => ({
  id: `E${index + 1}`,
  title: 'Arts &amp; Crafts',
  date: '2027-03-01',
  text,
}));

let site: Site;

beforeAll(async () => {
  site = await openSite(simplest);
  site.write('feeds/events.json', JSON.stringify(events));
  for (const html of ['auto', 'sanitize', 'text', 'keep']) {
    site.write(
      `syncs/${html}.yaml`,
      `resource: events
source: { connector: json, url: ../feeds/events.json }
key: id
map: { title: title, start: date, description: { field: text, html: ${html} } }
`,
    );
  }
});

afterAll(() => site[Symbol.asyncDispose]());

const run = (...args: string[]) => runHere(args, site.variables);

test('A preview says how many descriptions are HTML, and what happens to them', async () => {
  const { stderr } = await run('preview', 'auto');
  expect(stderr).toContain(
    'description: HTML in 1 of 3 texts, such as <p>. HTML is sanitised. Plain text is escaped; its addresses become links, and its line breaks stay.\n',
  );
  expect((await run('preview', 'sanitize')).stderr).toContain('such as <p>. All texts are sanitised as HTML.\n');
  expect((await run('preview', 'text')).stderr).toContain('such as <p>. All texts become plain text.\n');
  expect((await run('preview', 'keep')).stderr).toContain('such as <p>. All texts stay as they are.\n');
});

test('A record that lost content has a warning, also as JSON', async () => {
  const { stdout, stderr } = await run('preview', 'auto', '--json');
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const warnings = ['description: removed <iframe src="https://v.example/1">'];
  expect(records[1]).toMatchObject({ key: 'E2', warnings, payload: { title: 'Arts & Crafts' } });
  expect(records[0]).not.toHaveProperty('warnings');
  expect(stderr).toContain('description: HTML in 1 of 3 texts');
  expect((await run('preview', 'auto')).stdout).toContain(`warning: ${warnings[0]}`);
});

test('The site gets what visitors can read, and nothing changes in a second run', async () => {
  expect(await site.sync(['auto'])).toMatchObject([{ status: 'success' }]);
  const items = await site.items('calendar/events');
  const descriptions = items.map((item) => ('description' in item ? item.description : undefined));
  expect(descriptions).toEqual(
    expect.arrayContaining([
      expect.stringContaining('&lt;<a href="https://example.edu/r/7">https://example.edu/r/7</a>&gt;'),
      '<p>Bring <b>a lamp</b></p>',
      'Arts &amp; Crafts',
    ]),
  );
  const [second] = await site.sync(['auto']);
  expect(second).toMatchObject({ counts: expect.objectContaining({ unchanged: 4 }) });
});
