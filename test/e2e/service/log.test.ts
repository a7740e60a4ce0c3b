import { once } from 'node:events';
import { expect, test } from 'vitest';
import { start } from '../feedferry.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, type Site, simplest, writeTarget } from '../site.ts';

interface Entry {
  level: number;
  msg: string;
  run?: string;
  status?: string;
}

/** Runs `start`, and waits for entries of its log. */
function serving(site: Site) {
  const { child, finished } = start(['start'], { ...site.variables, LOG_LEVEL: 'info' });
  const entries: Entry[] = [];
  let rest = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    entries.push(...lines.map((line) => JSON.parse(line) as Entry));
  });
  return {
    entries,
    async logged(pattern: RegExp, from = 0): Promise<void> {
      while (!entries.slice(from).some(({ msg }) => pattern.test(msg))) {
        if (child.exitCode !== null || !child.stderr) throw new Error(`It ended: ${JSON.stringify(entries)}`);
        await once(child.stderr, 'data');
      }
    },
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      expect((await finished).exitCode).toBe(143);
    },
  };
}

const talks = (title: string) =>
  Array.from({ length: 12 }, (_, index) => `T${index},${title} ${index},2027-03-01,18:00`);

test('A service logs one line a run, and one each when the CMS gets into trouble and when it recovers', async () => {
  await using site = await openSite(simplest);
  writeTarget(site, '  externalId: source_key\n  maxAttempts: 100\n  backoff: 50ms\n  maxBackoff: 100ms\n');
  writeTalksSync(site, 'schedule: { every: 400ms }');
  writeTalks(site, talks('Maps'));
  writeTalksSync(site, 'schedule: { cron: "0 6 * * *" }', { name: 'walks' });
  writeTalks(site, talks('Harbour'), { name: 'walks' });
  const { entries, logged, stop } = serving(site);
  await logged(/^talks: success: 12 read, 12 created in \d+\.\d s$/);

  await setFaults(site, { kind: 'error', status: 503 });
  writeTalks(site, talks('Ships'));
  await logged(/The CMS is in trouble/);
  const { requests } = site.sandbox.stats();
  const refused = () => Object.values(site.sandbox.stats().requests).reduce((sum, count) => sum + count, 0);
  const before = Object.values(requests).reduce((sum, count) => sum + count, 0);
  // It is probed and paused again several times meanwhile.
  await expect.poll(refused).toBeGreaterThan(before + 5);
  const during = entries.length;
  await setFaults(site);
  await logged(/^talks: success: 12 read, 12 updated/, during - 1);
  await stop();

  const messages = entries.map(({ msg }) => msg);
  const troubles = messages.filter((msg) => msg.startsWith('The CMS'));
  expect(troubles).toEqual([
    expect.stringMatching(/^The CMS is in trouble: .*503.*\. Requests are paused until it recovers\.$/),
    expect.stringMatching(/^The CMS has recovered after \d+ s\. Requests are sent again\.$/),
  ]);
  const runs = entries.flatMap(({ run }) => run ?? []);
  expect(new Set(runs).size).toBe(runs.length);
  expect(messages).toContainEqual(expect.stringMatching(/^walks: next run \d{4}-\d\d-\d\d 06:00 E[SD]T$/));
  const expected =
    /^(The CMS|talks: (success|failed|partial): |walks: next run|The sync has never run|Started\.|Stopping|Skipped a scheduled run)/;
  expect(messages.filter((msg) => !expected.test(msg))).toEqual([]);
});

test('A service without schedules says that no sync runs by itself', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, talks('Maps'));
  const { entries, logged, stop } = serving(site);
  await logged(/^Started\./);
  await stop();
  expect(entries.map(({ msg }) => msg)).toEqual([
    expect.stringMatching(/^No sync has a schedule, so none runs by itself\./),
    'Started. Syncs with a schedule: 0 of 1.',
    'Stopping: waiting for deliveries in progress.',
  ]);
});
