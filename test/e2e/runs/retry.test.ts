import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

interface TroubledSite extends Site {
  proxy: RecordingProxy;
  /** Answers the next creates with a timeout: the CMS has certainly not got them (RFC 9110, 15.5.9). */
  timeOut(creates: number): void;
}

/** A site whose CMS has troubles; a record is tried once only. */
async function troubledSite(timeouts = 0, engines = simplest): Promise<TroubledSite> {
  const site = await openSite(engines, { target: '  maxAttempts: 1\n' });
  const proxy = await startRecordingProxy(site.sandbox.url);
  let left = timeouts;
  proxy.intercept = async ({ operation }) => {
    if (!operation.startsWith('POST') || left === 0) return undefined;
    left -= 1;
    return { status: 408, body: '{"errors":[{"code":408,"title":"Request Timeout","detail":"Too slow"}]}' };
  };
  site.variables.CMS_BASE_URL = proxy.url;
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  const timeOut = (creates: number) => {
    left = creates;
  };
  const dispose = site[Symbol.asyncDispose];
  const disposeAll = () => Promise.all([dispose(), proxy[Symbol.asyncDispose]()]).then(() => undefined);
  return Object.assign(site, { proxy, timeOut, [Symbol.asyncDispose]: disposeAll });
}

const removeFeed = (site: Site) => rmSync(join(site.dir, 'config/syncs/feeds/talks.csv'), { force: true });
const titles = async (site: Site) => (await site.items('calendar/events')).map(({ title }) => title).sort();

describe('Retry', () => {
  test.each(either(1))(
    'A retry sends failed records as they were read before, and the next run has nothing to do, on $ledger with $queue',
    async (engines) => {
      await using site = await troubledSite(2, engines);
      expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { created: 1, failed: 2 } }]);
      removeFeed(site);
      const report = await site.retry('talks');
      expect(report).toMatchObject({
        status: 'success',
        counts: { read: 2, created: 2, updated: 0, failed: 0, missing: 0 },
        problems: [],
      });
      expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
      expect(await site.retry('talks')).toBeUndefined();

      writeTalks(site, threeTalks);
      site.writes();
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
      expect(site.writes()).toEqual({});
    },
  );

  test('A retry looks up records that may have been created, and duplicates none', async () => {
    await using site = await troubledSite();
    const failAfter = { kind: 'error', method: 'POST', when: 'after', times: 2 };
    await setFaults(site, failAfter);
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { created: 1, held: 2 } }]);
    expect(site.writes()).toEqual({ 'POST /calendar/events': 3 });
    expect(await site.retry('talks')).toMatchObject({ status: 'success', counts: { read: 2, created: 2 } });
    expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 2 });
    expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
  });

  test('A retry sends only the named records, and reports those that fail again', async () => {
    await using site = await troubledSite(3);
    await site.sync();
    site.timeOut(1);
    expect(await site.retry('talks', ['T2'])).toMatchObject({
      status: 'partial',
      counts: { read: 1, failed: 1 },
      problems: [{ key: 'T2', code: 'FF_CMS_TIMEOUT' }],
    });
    expect(await site.retry('talks', ['T2', 'T3', 'T2'])).toMatchObject({
      status: 'success',
      counts: { read: 2, created: 2 },
    });
    expect(await titles(site)).toEqual(['Ships', 'Tides']);
    expect(await site.retry('talks', ['T2'])).toBeUndefined();
    expect(await site.retry('talks')).toMatchObject({ counts: { read: 1, created: 1 } });
  });

  test.each(either(0))(
    'A retry sends the records that a stopped run left pending, on $ledger with $queue',
    async (engines) => {
      await using site = await troubledSite(0, engines);
      site.proxy.intercept = async ({ operation }) =>
        operation.startsWith('POST') ? { status: 401, body: '{"errors":[{"code":401}]}' } : undefined;
      expect(await site.sync()).toMatchObject([{ status: 'failed', counts: { read: 3, failed: 3 } }]);
      delete site.proxy.intercept;
      expect(await site.retry('talks')).toMatchObject({ status: 'success', counts: { read: 3, created: 3 } });
    },
  );

  test('An unreachable CMS fails the retry and leaves the records as they were', async () => {
    await using site = await troubledSite(3);
    const [first] = await site.sync();
    site.variables.CMS_API_TOKEN = 'wrong';
    expect(await site.retry('talks')).toMatchObject({
      status: 'failed',
      error: { code: 'FF_CMS_UNAUTHORIZED' },
      counts: { read: 3, failed: 3 },
    });
    site.variables.CMS_API_TOKEN = site.sandbox.token;
    expect(await site.explain('talks', 'T1')).toMatchObject({ record: { status: 'failed', run: first?.run } });
  });
});

test('A retry leaves records that the source no longer has, or skips, unless they are named', async () => {
  await using site = await troubledSite(Number.POSITIVE_INFINITY);
  await site.sync();
  writeTalks(site, threeTalks.slice(0, 1));
  await site.sync();
  site.timeOut(0);
  const status = await runHere(['status', '--json'], site.variables);
  expect(status.json()).toMatchObject({ syncs: [{ undelivered: { failed: 1 } }] });
  expect(await site.retry('talks')).toMatchObject({ counts: { read: 1, created: 1 } });
  expect(await site.retry('talks', ['T2'])).toMatchObject({ counts: { read: 1, created: 1 } });
  expect(await titles(site)).toEqual(['Maps', 'Ships']);
});

test('A retry sends records beyond the end of a truncated feed', async () => {
  await using site = await troubledSite(Number.POSITIVE_INFINITY);
  await site.sync();
  // A row without a key might be any of those that are not there.
  writeTalks(site, [threeTalks[0]!, ',Ships,2027-03-02,10:00']);
  await site.sync();
  site.timeOut(0);
  expect(await site.retry('talks')).toMatchObject({ counts: { read: 3, created: 3 } });
});

test('The password of an account is still available on retry', async () => {
  await using site = await troubledSite(1);
  site.write(
    'syncs/people.yaml',
    `resource: accounts
source: { connector: json, url: ./people.json }
key: login
map: { username: login, password: secret }
`,
  );
  site.write('syncs/people.json', JSON.stringify([{ login: 'ada', secret: 'her password' }]));
  expect(await site.sync(['people'])).toMatchObject([{ counts: { failed: 1 } }]);
  expect(await site.retry('people')).toMatchObject({ counts: { created: 1 } });
  const bodies = site.proxy.requests.filter(({ operation }) => operation.startsWith('POST')).map(({ body }) => body);
  expect(bodies.map((body) => JSON.parse(body).password)).toEqual(['her password', 'her password']);
});

describe('The retry command', () => {
  test('The command prints the runs, with the exit codes of sync', async () => {
    await using site = await troubledSite(Number.POSITIVE_INFINITY);
    await site.sync();
    const partial = await runHere(['retry', 'talks', '--json'], site.variables);
    expect(partial.exitCode).toBe(3);
    site.timeOut(0);
    const done = await runHere(['retry', 'talks', 'T1', 'T2', '--json'], site.variables);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(done.json()).toMatchObject({
      runs: [{ run: expect.any(String), sync: 'talks', status: 'success', counts: { read: 2, created: 2 } }],
    });
    const first = await runHere(['retry', 'talks'], site.variables);
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/talks +.*success/) });
    const nothing = await runHere(['retry', 'talks', '--json'], site.variables);
    expect(nothing).toMatchObject({ exitCode: 0, stdout: '{"runs":[]}\n' });
    const second = await runHere(['retry', 'talks', 'T1'], site.variables);
    expect(second).toMatchObject({ exitCode: 0, stdout: 'talks: nothing to retry.\n' });
    // The run that read the feed is still the last one.
    const status = (await runHere(['status', '--json'], site.variables)).json();
    expect(status).toMatchObject({ syncs: [{ lastRun: { kind: 'run', counts: { read: 3, failed: 3 } } }] });
  });

  test('The command refuses an unknown key, and reports an active run as sync does', async () => {
    await using site = await troubledSite(Number.POSITIVE_INFINITY);
    await site.sync();
    const unknown = await runHere(['retry', 'talks', 'T1', 'T9', '--json'], site.variables);
    expect(unknown).toMatchObject({ exitCode: 2 });
    expect(unknown.json()).toMatchObject({ error: { code: 'FF_RECORD_UNKNOWN' }, runs: [] });
    expect(unknown.stderr).toContain('"T9" of "talks"');

    const ledger = await openLedger(site.environment());
    const run = await ledger.runs.begin('talks', 'run');
    const busy = await runHere(['retry', 'talks', '--json'], site.variables);
    await ledger.runs.finish(run);
    await ledger.close();
    expect(busy.exitCode).toBe(1);
    expect(busy.json()).toMatchObject({ runs: [{ status: 'failed', error: { code: 'FF_RUN_BUSY' } }] });
  });
});
