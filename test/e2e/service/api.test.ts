import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/console/api/api.ts';
import type { HeldPlanView } from '../../../src/queries/views/run.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import { openSite, simplest } from '../site.ts';

/** Without what tells the time of the question. */
function timeless(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value) => (['at', 'lastSuccessAt'].includes(name) ? undefined : value)),
  );
}

const read = endpoints.filter(({ method, type }) => method === 'GET' && type === undefined);

describe.each(either(0))('The API on $ledger with $queue', (on) => {
  test('Each response of a real site has the form that its description says', async () => {
    await using site = await openSite(on);
    writeTalksSync(site, 'missing: { policy: delete, after: 1 run }');
    const talks = Array.from({ length: 10 }, (_, index) => `${index},Maps ${index},2027-03-0${(index % 9) + 1},18:00`);
    writeTalks(site, talks);
    const [first] = await site.sync();
    writeTalks(site, talks.slice(0, 3));
    const [held] = await site.sync();
    expect([first?.status, held?.status]).toEqual(['success', 'held']);
    writeTalksSync(site, '', { name: 'walks' });
    writeTalks(site, ['1,,2027-03-02,18:00'], { name: 'walks' });
    await site.sync(['walks']);
    await runHere(['verify'], site.variables);
    await runHere(['acknowledge', 'walks', '1', '--note', 'known'], site.variables);
    await runHere(['pause', 'walks', '--reason', 'later'], site.variables);

    const url = await serveConsole(site);
    for (const each of read) {
      const isPlan = each.path.startsWith('/runs/:run/plan');
      const run = String((isPlan ? held : first)?.run);
      const path = each.path.replace(':sync', 'talks').replace(':run', run).replace(':day', '2027-03-01');
      const query = each.query?.shape ?? {};
      const given = { ...('key' in query && { key: '1' }), ...('month' in query && { month: '2027-03' }) };
      const response = await fetch(`${url}/api${path}?${new URLSearchParams(given)}`);
      const body = await response.json();
      expect([each.path, response.status, body]).toEqual([each.path, 200, each.response.parse(body)]);
    }
    // `--json` prints the same.
    const same: Array<[string, string[]]> = [
      ['/overview', ['status']],
      ['/runs', ['runs']],
      ['/syncs/walks/rejects', ['rejects', 'walks']],
      ['/syncs/talks/questions', ['questions', 'talks']],
      ['/plans', ['approve', '--list']],
      [`/runs/${first?.run}/undo`, ['undo', String(first?.run), '--dry-run']],
      ['/syncs/talks/purge', ['purge', 'talks', '--dry-run']],
    ];
    for (const [path, args] of same) {
      const body = await (await fetch(`${url}/api${path}`)).json();
      const printed = (await runHere([...args, '--json'], site.variables)).json();
      expect([path, timeless(printed)]).toEqual([path, timeless(body)]);
    }
    const csv = await fetch(`${url}/api/syncs/walks/rejects.csv`);
    expect([csv.headers.get('content-type'), await csv.text()]).toEqual([
      'text/csv; charset=utf-8',
      expect.stringContaining('line 2'),
    ]);
  });
});

test('A held plan is approved as the set that was reviewed, once', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site, 'missing: { policy: delete, after: 1 run }');
  writeTalks(site, ['1,Maps,2027-03-01,18:00', '2,Ships,2027-03-02,18:00', '3,Ports,2027-03-03,18:00']);
  await site.sync();
  writeTalks(site, ['1,Maps,2027-03-01,18:00']);
  await site.sync();

  const url = await serveConsole(site);
  const { plans } = (await (await fetch(`${url}/api/plans`)).json()) as { plans: HeldPlanView[] };
  const [plan] = plans;
  expect(plan).toMatchObject({ sync: 'talks', ops: { delete: 2 } });
  const decide = (set: string) =>
    fetch(`${url}/api/runs/${plan?.run}/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ set, reason: 'The season is over.' }),
    });
  expect(await (await decide('another')).json()).toMatchObject({ error: { code: 'FF_APPROVE_STALE' } });
  const approved = await decide(String(plan?.set));
  expect(approved.status).toBe(202);
  const { run } = (await approved.json()) as { run: string };

  const view = async () => (await (await fetch(`${url}/api/runs/${run}`)).json()) as object;
  await expect.poll(view).toHaveProperty('finishedAt');
  expect(await view()).toMatchObject({
    status: 'success',
    counts: { deleted: 2 },
    deeds: [{ deed: 'approve', via: 'api', about: plan?.run, reason: 'The season is over.' }],
  });
  expect(await site.items('calendar/events')).toHaveLength(1);
  expect((await decide(String(plan?.set))).status).toBe(409);
});
