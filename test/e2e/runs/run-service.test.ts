import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRunService } from '../../../src/app/service/http-runs.ts';
import type { RunReport } from '../../../src/core/run.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite } from '../site.ts';

const engines = { ledger: 'sqlite', queue: 'in-process' } as const;

test('Neither an active retry nor a finished run covers a new request', async () => {
  await using site = await openSite(engines);
  writeTalksSync(site);
  writeTalks(site, ['1,Old Maps,2027-03-01,18:00']);
  await site.withApp(async (app) => {
    const reports: RunReport[] = [];
    const { signal } = new AbortController();
    const log = pino({ level: 'silent' });
    const service = createRunService(app, { log, signal, onFinished: (report) => reports.push(report) });

    const retry = await app.ledger.runs.begin('talks', 'retry');
    await expect(service.begin('talks')).rejects.toMatchObject({ code: 'FF_RUN_BUSY' });
    await app.ledger.runs.finish(retry);

    const { run, started } = await service.begin('talks');
    expect(started).toBe(true);
    await service.close();
    expect(reports).toMatchObject([{ run, status: 'success' }]);
    const next = await service.begin('talks');
    expect(next).toEqual({ run: expect.not.stringMatching(run), started: true });
    await service.close();
    expect((await service.newest({ limit: 9 })).map(({ kind, status }) => [kind, status]).sort()).toEqual([
      ['retry', 'success'],
      ['run', 'success'],
      ['run', 'success'],
    ]);
  });
});
