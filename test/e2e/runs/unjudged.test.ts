import { expect, test } from 'vitest';
import type { Verification } from '../../../src/sync/verify/verification.ts';
import { start } from '../feedferry.ts';
import { setFaults, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

// A verification proves nothing about what it has not judged.

const rows = (start = '18:00') => Array.from({ length: 8 }, (_, at) => `T${at},Talk ${at},2027-03-0${at + 1},${start}`);

interface Answer {
  verified: Verification[];
  runs?: Array<{ status: string; counts: object }>;
  remaining?: Verification[];
}

/** Eight delivered talks. */
async function published(engines = simplest): Promise<Site> {
  const site = await openSite(engines, {
    // A killed process holds its records for longer than a request may take.
    target: '  timeout: 5s\n  movedFrom: $' + '{OLD_URL:-https://www.example.edu}\n',
  });
  writeTalksSync(site);
  writeTalks(site, rows());
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 8 } }]);
  return site;
}

/** Runs a command in a process that is killed while its PATCHes are on hold. */
async function killed(site: Site, ...args: string[]): Promise<void> {
  const onHold = await setFaults(site, { kind: 'hold', method: 'PATCH' });
  const { child, finished } = start(args, site.variables);
  await onHold(2);
  child.kill('SIGKILL');
  await finished;
  await setFaults(site);
}

const command = async (site: Site, ...args: string[]) => {
  const { exitCode, json } = await runHere([...args, '--json'], site.variables);
  return { exitCode, ...json<Answer>() };
};

test.each(either(0))('After a process was killed, on $ledger with $queue', async (engines) => {
  await using site = await published(engines);
  writeTalks(site, rows('19:00'));
  await killed(site, 'sync');
  const { exitCode, verified } = await command(site, 'verify');
  const { proven, reason, counts } = verified[0]?.certificate ?? {};
  expect({ exitCode, proven, reason }).toEqual({
    ...{ exitCode: 3, proven: false },
    reason: expect.stringMatching(/^\d records? (was|were) being delivered/),
  });
  expect(counts?.moving).toBeGreaterThan(0);
  expect((await runHere(['verify'], site.variables)).stdout).toMatch(/\d records? w(as|ere) being delivered/);

  // A repair continues what the process has left.
  const healed = await command(site, 'verify', '--heal');
  expect(healed.runs).toMatchObject([{ status: 'success' }]);
  expect(healed).toMatchObject({ exitCode: 0, remaining: [{ inSync: 8, certificate: { proven: true } }] });
});

test('A repair continues one whose process was killed', async () => {
  await using site = await published();
  for (const { id, title } of (await site.items('calendar/events')).slice(0, 4))
    await site.request('PATCH', `api/v1/calendar/events/${id}`, { title: `${title} (edited)` });
  await killed(site, 'verify', '--heal');
  const healed = await command(site, 'verify', '--heal');
  expect(healed.runs).toMatchObject([{ status: 'success' }]);
  expect(healed).toMatchObject({ exitCode: 0, remaining: [{ inSync: 8, drift: [] }] });
  expect((await site.items('calendar/events')).map(({ title }) => title).sort()).toEqual(
    rows().map((_, at) => `Talk ${at}`),
  );
});

test('Items that the list hides are not deleted, and those that are deleted beside them are named', async () => {
  await using site = await published();
  const [first] = await site.items('calendar/events', '&sort=+id');
  await site.request('DELETE', `api/v1/calendar/events/${first?.id}`);
  await using proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  site.variables.OLD_URL = site.sandbox.url;
  // As a list that leaves out past events.
  proxy.intercept = async ({ operation, url }) => {
    if (operation !== 'GET /api/v1/calendar/events') return undefined;
    const headers = { accept: 'application/json', 'user-agent': 'test', authorization: `Bearer ${site.sandbox.token}` };
    const page = (await (await fetch(`${site.sandbox.url}${url}`, { headers })).json()) as { data: { date: string }[] };
    const data = page.data.filter(({ date }) => date >= '2027-03-06');
    return { status: 200, body: JSON.stringify({ data, totalItems: data.length }) };
  };
  const { exitCode, verified } = await command(site, 'verify');
  expect(exitCode).toBe(3);
  expect(verified).toMatchObject([
    {
      drift: [{ cmsId: first?.id, cause: 'deleted' }],
      certificate: {
        ...{ proven: false, reason: expect.stringMatching(/^the CMS has item \d+ and 3 more, but its list/) },
        counts: { deleted: 1, unverified: 4, inSync: 3 },
      },
    },
  ]);
  // A repair does not touch what is hidden.
  site.writes();
  expect((await command(site, 'verify', '--heal')).exitCode).toBe(3);
  expect(site.writes()).toEqual({});
});
