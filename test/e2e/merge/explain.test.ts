import { expect, test } from 'vitest';
import type { RecordRejectionView } from '../../../src/queries/records/rejection.ts';
import type { RecordDetailView, RecordSourceView } from '../../../src/queries/views/record.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import type { Site } from '../site.ts';
import { CONCERT, openCampus, TALK, writeCalendar } from './two-calendars.ts';

const explain = async (site: Site, key: string) =>
  (await runHere(['explain', 'campus', key, '--json'], site.variables)).json<Explained>();

interface Explained {
  record: RecordDetailView | null;
  unknown?: RecordRejectionView;
  source: RecordSourceView;
}

async function openFilled(): Promise<Site> {
  const site = await openCampus({
    more: 'merge: { fill: { description: [music] } }\nmissing: { policy: delete, after: 2 runs, threshold: { percent: 100 } }',
  });
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, 'By Mozart'],
    ['2', ...TALK, ''],
  ]);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', 'Old Maps', '2031-03-02', '18:00', 'Attic', ''],
  ]);
  await site.sync();
  return site;
}

test('A record says which source publishes it, what another one gives, and what the next run does with all of them', async () => {
  await using site = await openFilled();
  const story = await explain(site, 'central/1');
  expect(story).toMatchObject({
    source: { verdict: { is: 'unchanged' }, differences: [] },
    record: {
      event: {
        publishedAs: 'central/1',
        publisher: 'central',
        givenBy: { description: 'music' },
        members: [
          { key: 'central/1', is: 'publisher' },
          { key: 'music/7', is: 'covered' },
        ],
      },
    },
  });
  const { stdout } = await runHere(['explain', 'campus', 'central/1'], site.variables);
  expect(stdout).toContain('Published by central; description from music\n');
  writeCalendar(site, 'music', [['7', ...CONCERT, 'With organ']]);
  expect((await explain(site, 'central/1')).source).toMatchObject({
    verdict: { is: 'update' },
    differences: [{ attribute: 'description', from: 'With choir', to: 'With organ' }],
  });
});

test('A record that is covered names the one it is published as, and one that waits names its question', async () => {
  await using site = await openFilled();
  expect((await explain(site, 'music/7')).source.verdict).toEqual({
    is: 'skipped',
    why: 'Another source has the same event: it is published as central/1, by central.',
    next: 'If central no longer has the event, the next best source takes over. If it is another event: `feedferry questions campus --distinct music/7`.',
  });
  const waiting = await explain(site, 'music/8');
  expect(waiting.unknown?.event?.questions).toHaveLength(1);
  expect(waiting.source.verdict.why).toContain('at places with different names: “Attic” and “');
  expect(waiting.source.verdict.next).toContain(
    `${waiting.unknown?.event?.questions[0]?.id} is answered: \`feedferry questions campus\``,
  );
});

test('A record whose source no longer has it stays as it is until another source takes over', async () => {
  await using site = await openFilled();
  writeCalendar(site, 'central', [['2', ...TALK, '']]);
  expect((await explain(site, 'central/1')).source.verdict.is).toBe('unchanged');
  await site.sync();
  await site.sync();
  expect(await explain(site, 'central/1')).toMatchObject({
    source: { verdict: { is: 'unchanged' } },
    record: { event: { publisher: 'music', givenBy: {}, members: [{ is: 'missing' }, { is: 'publisher' }] } },
  });
  writeCalendar(site, 'music', []);
  expect((await explain(site, 'central/1')).source.verdict.is).toBe('absent');
});

test('The page of a record says the same', async () => {
  await using site = await openFilled();
  const url = await serveConsole(site);
  const get = async (path: string) => fetch(`${url}${path}`);
  const detail = (await (await get('/api/syncs/campus/record?key=central%2F1')).json()) as RecordDetailView;
  expect(detail.event).toMatchObject({ publisher: 'central', givenBy: { description: 'music' } });
  const page = await (await get('/syncs/campus/record?key=central%2F1')).text();
  expect(page).toContain('Published by central; description from music');
  expect(page).toMatch(/description<span class="why">from music<\/span>/);
  const covered = await (await get('/syncs/campus/record?key=music%2F7')).text();
  expect(covered).toMatch(/published as <a[^>]*>central\/1/);
  expect(covered).toContain('It is another event');
  const answer = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const body = JSON.stringify({ questions: ['music/7'], answer: 'distinct' });
  expect((await fetch(`${url}/api/syncs/campus/questions`, { ...answer, body })).status).toBe(200);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1 } }]);
  expect(await (await get('/syncs/campus/record?key=music%2F8')).text()).toContain('Answer the question');
});
