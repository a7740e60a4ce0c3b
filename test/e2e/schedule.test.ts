import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { start } from './feedferry.ts';
import { combinations, openSite, type Site } from './site.ts';

async function site(engines: (typeof combinations)[number]): Promise<Site> {
  const opened = await openSite(engines);
  opened.write(
    'syncs/talks.yaml',
    `resource: events
source: { connector: csv, url: ./talks.csv }
key: id
map: { title: title, date: date, time.start: start }
schedule: { every: 1s }
`,
  );
  opened.write('syncs/talks.csv', 'id,title,date,start\n1,Old Maps,2027-03-01,18:00\n');
  return opened;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

describe.each(combinations)('start on $ledger with $queue', (engines) => {
  test('runs a sync whenever it is due, tells its health, and ends in order', async () => {
    await using opened = await site(engines);
    const { child, finished } = start(['start'], { ...opened.variables, LOG_LEVEL: 'info', HTTP_PORT: '0' });
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    const created = () => opened.sandbox.stats().requests['POST /calendar/events'] ?? 0;
    const patched = () => opened.sandbox.stats().requests['PATCH /calendar/events/:id'] ?? 0;
    await until(() => created() === 1);
    opened.write('syncs/talks.csv', 'id,title,date,start\n1,New Maps,2027-03-01,18:00\n');
    await until(() => patched() === 1);

    const [, health = ''] = /"health":"([^"]+)"/.exec(log) ?? [];
    expect(await (await fetch(`${health}/healthz`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${health}/readyz`)).status).toBe(200);

    child.kill('SIGTERM');
    expect((await finished).exitCode).toBe(143);
    expect(created()).toBe(1);
  });
});
