import { describe, expect, test } from 'vitest';
import { createLedgerQueries } from '../../../src/queries/create-queries.ts';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

// `review: new`: what is new waits until a person has seen it; what is known goes on.

const talk = (id: string, title = `Talk ${id}`) => `${id},${title},2027-03-0${id.slice(-1)},18:00`;
const titles = async (site: Site) => (await site.items('calendar/events', '&sort=+id')).map(({ title }) => title);
const cli = (site: Site, ...words: string[]) => runHere([...words, '--json'], site.variables);

async function reviewedSite(rows: readonly string[], more = 'review: new'): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site, more);
  writeTalks(site, rows);
  return site;
}

describe('Review of new records', () => {
  test('New records wait, an answer publishes them at once or leaves them out, and changes of the others are sent', async () => {
    await using site = await reviewedSite([talk('A1')], '');
    await site.sync();
    writeTalksSync(site, 'review: new');
    writeTalks(site, [talk('A1', 'First talk'), talk('A2'), talk('A3'), talk('A4')]);
    const plan = await site.withContext(planRun);
    expect(plan).toMatchObject({ creates: 0, updates: 1, problems: { length: 3, 0: { code: 'FF_RECORD_REVIEW' } } });
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { read: 4, updated: 1, held: 3 } }]);
    expect(await titles(site)).toEqual(['First talk']);
    const asked = (await cli(site, 'questions', 'talks')).json();
    expect(asked).toMatchObject({ total: 3, questions: { 0: { id: 'A2', why: 'new', records: [{ key: 'A2' }] } } });

    const published = await cli(site, 'retry', 'talks', 'A2', '--publish');
    expect(published.json()).toMatchObject({ runs: [{ status: 'success', counts: { read: 1, created: 1 } }] });
    const left = await cli(site, 'retry', 'talks', 'A3', '--leave', '--note', 'not ours');
    expect(left.json()).toMatchObject({ runs: [{ status: 'success', counts: { read: 1, skipped: 1 } }] });
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { unchanged: 2, skipped: 1, held: 1 } }]);
    expect(await titles(site)).toEqual(['First talk', 'Talk A2']);
    const { verdict, answer } = await site.explain('talks', 'A3');
    expect(verdict).toMatchObject({ is: 'skipped', why: expect.stringContaining('(not ours)') });
    expect(answer).toMatchObject({ answer: 'leave' });
    const { records } = await site.withApp((app) =>
      createLedgerQueries(() => app).records({ sync: 'talks', limit: 9 }),
    );
    const states = records.map(({ key, error, leftOut }) => [key, error?.code, leftOut?.note]);
    expect(states.slice(2)).toEqual([
      ['A3', undefined, 'not ours'],
      ['A4', 'FF_RECORD_REVIEW', undefined],
    ]);
    const explained = await runHere(['explain', 'talks', 'A3'], site.variables);
    expect(explained.stdout).toMatch(/Left out by \S+ on .*not ours/);
    expect(explained.stdout).toContain('feedferry questions talks --take-back "A3"');
    expect(explained.stdout).not.toMatch(/On hold|FF_RECORD_REVIEW/);

    // An answer to another question changes nothing.
    expect(await cli(site, 'retry', 'talks', 'A4', '--distinct')).toMatchObject({
      exitCode: 0,
      stdout: '{"runs":[]}\n',
    });
    expect(await cli(site, 'questions', 'talks', '--same', 'A4')).toMatchObject({ exitCode: 1 });
  });

  test('An answer outlives changes and is taken back by its question; the content that is published is the newest', async () => {
    await using site = await reviewedSite([talk('A1'), talk('A2')]);
    await site.sync();
    await cli(site, 'questions', 'talks', '--leave', 'A1');
    const { answers } = (await cli(site, 'questions', 'talks')).json<{ answers: unknown[] }>();
    expect(answers).toMatchObject([{ id: 'A1', about: expect.stringMatching(/^Talk A1, .*\(A1\)$|^Talk A1, /) }]);
    writeTalks(site, [talk('A1', 'Another title'), talk('A2', 'Second talk')]);
    expect(await site.sync()).toMatchObject([{ counts: { skipped: 1, held: 1 } }]);
    expect((await cli(site, 'questions', 'talks', '--take-back', 'A1')).exitCode).toBe(0);
    expect(await site.sync()).toMatchObject([{ counts: { skipped: 0, held: 2 } }]);
    await cli(site, 'questions', 'talks', '--publish');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
    expect(await titles(site)).toEqual(['Another title', 'Second talk']);
    const takenBack = await runHere(['questions', 'talks', '--take-back', 'A1'], site.variables);
    expect(takenBack.stdout).toContain('What was published stays on the site; to remove it, delete it there.');
    expect(takenBack.stdout).not.toContain('next run acts on it');
    expect(await site.sync()).toMatchObject([{ counts: { unchanged: 2, held: 0 } }]);
  });

  test('What was on the site before is not new: an event that returns to the feed, or that an editor has made', async () => {
    await using site = await reviewedSite([talk('A1'), talk('A2')], '');
    await site.sync();
    writeTalks(site, [talk('A2')]);
    writeTalksSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\nreview: new');
    expect(await site.sync()).toMatchObject([{ counts: { deleted: 1 } }]);
    writeTalks(site, [talk('A1'), talk('A2')]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 1 } }]);
    await site.request('POST', 'api/v1/calendar/events', {
      ...{ title: 'Talk A3', date: '2027-03-03', endDate: '2027-03-03', time: { start: '18:00:00', type: 'timed' } },
    });
    writeTalksSync(site, 'review: new\nadopt: { match: [title, date] }');
    writeTalks(site, [talk('A1'), talk('A2'), talk('A3')]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { held: 0 } }]);
    expect(await titles(site)).toHaveLength(3);
  });
});
