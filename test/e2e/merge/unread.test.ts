import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SyncDetailView } from '../../../src/queries/views/sync.ts';
import { startWebhookServer } from '../../support/alert-servers.ts';
import { runHere } from '../run-here.ts';
import { serveConsole } from '../serve-console.ts';
import { writeTarget } from '../site.ts';
import { CONCERT, openCampus, TALK, writeCalendar, writeCampus } from './two-calendars.ts';

test('A source that was not read is named with the reason: in the mail, the status and the console', async () => {
  await using hook = await startWebhookServer();
  await using site = await openCampus();
  writeTarget(site, `  externalId: source_key\nalerts: { webhook: { url: "${hook.url}" } }\n`);
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['8', ...TALK, '']]);
  expect(await site.sync()).toMatchObject([{ status: 'success' }]);
  rmSync(join(site.dir, 'config/syncs/feeds/music.csv'));
  const [run] = await site.sync();
  const reason = expect.stringMatching(/^music: not read: .*music\.csv/);
  expect(run).toMatchObject({ status: 'partial', complete: false, receipt: { reason } });
  const sent = hook.received.all[0]?.json as unknown as { title: string; text: string; run: { reason: string } };
  expect(sent.title).toBe('campus: the feed was not read completely');
  expect(sent.run.reason).toEqual(reason);
  expect(sent.text).toMatch(/The feed is incomplete: music: not read: .*music\.csv/);
  const { stdout } = await runHere(['status', 'campus'], site.variables);
  expect(stdout).toMatch(/campus: music, read .*: 0 records; not read: /);
  const url = await serveConsole(site);
  const overview = (await (await fetch(`${url}/api/overview`)).json()) as { syncs: Array<{ why: string }> };
  expect(overview.syncs[0]?.why).toMatch(/The feed is incomplete: music: not read: /);
  const detail = (await (await fetch(`${url}/api/syncs/campus`)).json()) as SyncDetailView;
  expect(detail.sources).toMatchObject([
    { source: 'central', connector: 'csv', records: 1, complete: true },
    { source: 'music', records: 0, complete: false, reason: expect.stringMatching(/^not read: /) },
  ]);
  const page = await (await fetch(`${url}/syncs/campus`)).text();
  expect(page).toContain('Sources, best first');
  expect(page).toContain('not completely: not read: ');
});

test('A source that is no longer in the file is named as such', async () => {
  await using site = await openCampus();
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['8', ...TALK, '']]);
  await site.sync();
  writeCampus(site, '', ['central']);
  const status = await runHere(['status', 'campus', '--json'], site.variables);
  expect(status.json<{ syncs: Array<Pick<SyncDetailView, 'sources'>> }>().syncs[0]?.sources).toMatchObject([
    { source: 'central', records: 1 },
    { source: 'music', isFormer: true, records: 1 },
  ]);
});
