import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startWebhookServer, type WebhookServer } from '../../support/alert-servers.ts';
import { type Finished, start } from '../feedferry.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { type Engines, openSite, type Site } from '../site.ts';

const TITLES = ['Chess', 'Choir', 'Maps', 'Opera', 'Ruins', 'Tea'];

describe.each(either(0))('Unattended operation on $ledger with $queue', (on) => {
  test('A feed that breaks, empties or halves deletes nothing, is reported, and deletes only approved records', async () => {
    await using hook = await startWebhookServer();
    await using site = await openUnattended(on, hook);
    writeFeed(site, TITLES);
    const { child, finished } = start(['start'], site.variables);
    await until(async () => (await titles(site)).length === TITLES.length);
    site.writes();

    site.write('syncs/feeds/talks.csv', '<!doctype html><title>Log in</title>');
    await untilReceived(hook, 'alert', 'failed');
    writeFeed(site, []);
    await untilReceived(hook, 'alert', 'held');
    writeFeed(site, TITLES);
    await untilReceived(hook, 'recovery');
    expect(await titles(site)).toEqual(TITLES);

    writeFeed(site, TITLES.slice(3));
    const halved = await heldRun(site);
    writeFeed(site, TITLES.slice(4));
    expect(await heldRun(site, halved.count)).toMatchObject({ count: 4 });
    const refused = await approve(site, halved.run);
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain('FF_APPROVE_STALE');
    expect(site.writes()).toEqual({});

    const approved = await approve(site);
    expect(approved.json()).toMatchObject({ runs: [{ status: 'success', counts: { missing: 4, deleted: 4 } }] });
    expect(await titles(site)).toEqual(['Ruins', 'Tea']);
    expect(site.writes()).toEqual({ 'DELETE /calendar/events/:id': 4 });
    await until(() => hook.received.all.at(-1)?.json.type === 'recovery');

    child.kill('SIGTERM');
    const { exitCode, stderr } = await finished;
    expect(exitCode, stderr).toBe(143);
  });
});

async function openUnattended(on: Engines, hook: WebhookServer): Promise<Site> {
  const site = await openSite(on, { target: `alerts: { webhook: { url: "${hook.url}" }, every: 1ms }\n` });
  writeTalksSync(site, 'missing: { policy: delete, after: 1 run }\nschedule: { every: 400ms }', { key: 'title' });
  return site;
}

function writeFeed(site: Site, names: readonly string[]): void {
  const rows = names.map((name) => `${name},2031-03-01,18:00`);
  writeTalks(site, rows, { columns: 'title,date,start' });
}

/** Waits for the next message of a kind. */
async function untilReceived(hook: WebhookServer, type: string, kind?: string): Promise<void> {
  const before = hook.received.all.length;
  const isIt = ({ json }: WebhookServer['received']['all'][number]) =>
    json.type === type && (kind === undefined || json.kinds?.includes(kind));
  await until(() => hook.received.all.slice(before).some(isIt));
}

/** The run that waits for an approval, and how many records it would delete: a number other than `before`. */
async function heldRun(site: Site, before?: number): Promise<{ run: string; count: number }> {
  for (;;) {
    const held = await site.withApp(async ({ ledger }) => {
      const hold = await ledger.plans.heldPlan('talks');
      const count = hold && (await ledger.plans.summarise(hold.run)).removals;
      return hold && count !== undefined ? { run: hold.run, count } : undefined;
    });
    if (held && held.count > 0 && held.count !== before) return held;
    await sleep(50);
  }
}

/** Approves a held run, or the one of that moment, between two ticks: nothing can be approved while a run is under way. */
async function approve(site: Site, held?: string): Promise<Finished> {
  for (;;) {
    const run = held ?? (await heldRun(site)).run;
    const finished = await runHere(['approve', run, '--json'], site.variables);
    if (!finished.stderr.includes('FF_RUN_BUSY')) return finished;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

async function titles(site: Site): Promise<unknown[]> {
  return (await site.items('calendar/events')).map(({ title }) => title).sort();
}
