import { describe, expect, test } from 'vitest';
import type { RecordDetailView, RecordSourceView } from '../../../src/queries/views/record.ts';
import type { TestCmsOptions } from '../../support/cms/start-cms.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

/** A CMS whose creates never come to an answer. */
const broken: TestCmsOptions = { faults: { seed: 1, faults: [{ kind: 'error', status: 503, method: 'POST' }] } };

async function siteWith(rows: string[], options: TestCmsOptions = {}): Promise<Site> {
  const site = await openSite(simplest, { target: '  maxAttempts: 2\n', ...options });
  const map = 'title: title, date: date, time.start: { value: "18:00" }';
  writeTalksSync(site, 'window: { from: 2027-01-01 }', { map });
  feed(site, ...rows);
  return site;
}

function feed(site: Site, ...rows: string[]): void {
  writeTalks(site, rows, { columns: 'id,title,date,secret' });
}

interface Explained {
  sync: string;
  key: string;
  record: RecordDetailView | null;
  source: RecordSourceView;
}

async function explain(site: Site, key: string): Promise<Explained> {
  const { exitCode, stdout, stderr } = await runHere(['explain', 'talks', key, '--json'], site.variables);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('The explain command', () => {
  test('Explain follows a record from the source to the CMS, through create and patch', async () => {
    await using site = await siteWith(['T1,Old Maps,2027-03-01,hush-hush']);
    const fresh = await explain(site, 'T1');
    expect(fresh).toMatchObject({
      sync: 'talks',
      key: 'T1',
      source: {
        complete: true,
        found: [
          {
            is: 'desired',
            at: 'line 2',
            fields: { id: 'T1', title: 'Old Maps', date: '2027-03-01', secret: '[redacted]' },
            payload: { title: 'Old Maps', date: '2027-03-01' },
          },
        ],
        verdict: { is: 'create', next: 'The next run creates it.' },
      },
      record: null,
    });
    expect(site.writes()).toEqual({});

    await runHere(['sync'], site.variables);
    const [{ id }] = (await site.items('calendar/events')) as [{ id: number }];
    const delivered = await explain(site, 'T1');
    expect(delivered.record).not.toHaveProperty('error');
    expect(delivered).toMatchObject({
      record: { status: 'delivered', cmsId: id, history: [{ outcome: 'created', cmsId: id, method: 'POST' }] },
      source: { differences: [], verdict: { is: 'unchanged', next: 'Nothing is sent.' } },
    });

    feed(site, 'T1,New Maps,2027-03-01,hush-hush');
    expect((await explain(site, 'T1')).source).toMatchObject({
      differences: [{ attribute: 'title', from: 'Old Maps', to: 'New Maps' }],
      verdict: { is: 'update', next: 'The next run updates title.' },
    });
    await runHere(['sync'], site.variables);
    const { history = [] } = (await explain(site, 'T1')).record ?? {};
    expect(history.map(({ method, outcome }) => [method, outcome])).toEqual([
      ['PATCH', 'updated'],
      ['POST', 'created'],
    ]);
    expect(history[0]?.attributes).toEqual(['title']);
    expect(new Set(history.map(({ run }) => run)).size).toBe(2);

    const { stdout } = await runHere(['explain', 'talks', 'T1'], site.variables);
    expect(stdout).toMatch(
      new RegExp(`\\(T1\\) of talks\\n.*Item: item ${id}\\n.*updated \\(item ${id}\\) +PATCH title `, 's'),
    );
    expect(stdout).not.toContain('hush-hush');
  });

  test('Explain shows why a record is rejected, duplicate or skipped, and that its published item stays', async () => {
    await using site = await siteWith(['T1,Old Maps,2027-03-01,', 'T2,Ships,2027-03-02,', 'T3,Past,2020-01-01,']);
    await runHere(['sync'], site.variables);
    feed(site, 'T1,,2027-03-01,', 'T2,Ships,2027-03-02,', 'T2,Boats,2027-03-02,', 'T3,Past,2020-01-01,');

    const rejected = await explain(site, 'T1');
    expect(rejected.source.verdict.is).toBe('rejected');
    expect(rejected.source.verdict.why).toMatch(/FF_RECORD_REQUIRED.*title/);
    expect(rejected.source.verdict.next).toMatch(/Give it a value in the source.*\(id \d+\) stays/);
    const doubled = await explain(site, 'T2');
    expect(doubled.source.found).toHaveLength(2);
    expect(doubled.source.verdict).toMatchObject({
      is: 'rejected',
      why: expect.stringMatching(/DUPLICATE.*line 3, line 4/),
    });
    const skipped = await explain(site, 'T3');
    expect(skipped.source.verdict).toMatchObject({ is: 'skipped', next: 'It is not in the CMS.' });
    const { stdout } = await runHere(['explain', 'talks', 'T3'], site.variables);
    expect(stdout).toMatch(/T3 of talks\n.*line 5 Skipped/s);
  });

  test('Explain shows why a record failed, each attempt, and what happens next', async () => {
    await using site = await siteWith(['T1,Old Maps,2027-03-01,'], broken);
    await runHere(['sync'], site.variables);
    const { record, source } = await explain(site, 'T1');
    expect(record?.history).toMatchObject([
      { outcome: 'held', error: { code: 'FF_CMS_SERVER' } },
      { outcome: 'retry', method: 'POST', error: { code: 'FF_CMS_SERVER' } },
    ]);
    expect(record).toMatchObject({ status: 'held', maybeSent: true, attempts: 2 });
    expect(source.verdict).toMatchObject({
      is: 'create',
      why: expect.stringMatching(/It is held: FF_CMS_SERVER/),
      next: expect.stringMatching(/looks it up in the CMS and creates it only if it is not there/),
    });
  });

  test('Explain handles a key that only the ledger knows, an unreadable feed, and an unknown key', async () => {
    await using site = await siteWith(['T1,Old Maps,2027-03-01,', 'T2,Ships,2027-03-02,']);
    await runHere(['sync'], site.variables);
    feed(site, 'T2,Ships,2027-03-02,');
    const gone = await explain(site, 'T1');
    expect(gone.source.found).toEqual([]);
    expect(gone.source.verdict).toMatchObject({ is: 'absent', next: expect.stringMatching(/\(id \d+\) stays/) });
    expect(gone.record?.history).toHaveLength(1);

    const unknown = await runHere(['explain', 'talks', 'T3'], site.variables);
    expect(unknown).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/FF_RECORD_UNKNOWN.*similar keys: T[12], T[12]/s),
    });

    site.write('syncs/feeds/talks.csv', '<html><body>Please log in</body></html>');
    const unread = await explain(site, 'T1');
    expect(unread.source.verdict).toMatchObject({ is: 'unread', why: expect.stringContaining('FF_FEED_') });
    expect(unread.record?.status).toBe('delivered');
  });
});

describe('The status command', () => {
  test('Status shows the last run of each sync and its first undelivered records', async () => {
    await using site = await siteWith(['T1,Old Maps,2027-03-01,', 'T2,,2027-03-02,'], broken);
    const never = await runHere(['status'], site.variables);
    expect(never).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/talks +.*never run/) });

    await runHere(['sync'], site.variables);
    await runHere(['plan', 'talks'], site.variables);
    expect((await runHere(['status', '--json'], site.variables)).json()).toMatchObject({
      syncs: [
        {
          sync: 'talks',
          lastRun: { kind: 'run', status: 'partial', counts: { read: 2, rejected: 1, held: 1 } },
          undelivered: { pending: 0, failed: 0, held: 1 },
        },
      ],
    });
    const { stdout } = await runHere(['status'], site.variables);
    expect(stdout).toMatch(/talks .*partial/);
    expect(stdout).toMatch(/\(T1\): held FF_CMS_SERVER/);
  });
});
