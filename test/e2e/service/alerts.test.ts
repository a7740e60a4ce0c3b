import { createHmac } from 'node:crypto';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createAlerts } from '../../../src/alerts/alerts.ts';
import { loadAppConfig } from '../../../src/app/load-config.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { startHangingServer, startMailServer, startWebhookServer } from '../../support/alert-servers.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { start } from '../feedferry.ts';
import { writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { type Engines, openSite, type Site, simplest } from '../site.ts';

const SECRET = 'only-we-know';
const GOOD = 'id,title,date,start\nada@example.edu,Old Maps,2027-03-01,18:00\n';
const BAD = `${GOOD}bob@example.edu,Robert <Smith>,yesterday,18:00\n`;

/** @param alerts keys of `alerts`, an object in YAML's flow style; @param more lines of the sync file */
async function openTalks(alerts: string, more = '', engines = simplest): Promise<Site> {
  const site = await openSite(engines, { target: `alerts: ${alerts}\n` });
  writeTalksSync(site, more);
  site.write('syncs/feeds/talks.csv', GOOD);
  return site;
}

const inProcess: Engines[] = ledgerEngines.filter(hasEngine).map((ledger) => ({ ledger, queue: 'in-process' }));

describe.each(inProcess)('Alerts on $ledger', (engines) => {
  test('A partial run sends one signed alert, and its recovery sends another', async () => {
    await using hook = await startWebhookServer();
    await using site = await openTalks(
      `{ webhook: { url: "${hook.url}", secret: ${SECRET}, headers: { X-Team: web } } }`,
      '',
      engines,
    );
    const run = async (feed: string) => {
      site.write('syncs/feeds/talks.csv', feed);
      const [report] = await site.sync();
      return report?.status;
    };

    expect(await run(GOOD)).toBe('success');
    expect(await run(BAD)).toBe('partial');
    expect(await run(BAD)).toBe('partial');
    expect(hook.received.all).toHaveLength(1);
    const [{ headers, body, json } = { headers: {}, body: '', json: { text: '' } }] = hook.received.all;
    const time = String(headers['feedferry-timestamp']);
    expect(headers['feedferry-signature']).toBe(
      `sha256=${createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex')}`,
    );
    expect(Math.abs(Date.now() / 1000 - Number(time))).toBeLessThan(60);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-team': 'web' });
    expect(json).toMatchObject({
      type: 'alert',
      sync: 'talks',
      kinds: ['partial'],
      times: 1,
      run: { status: 'partial', counts: { read: 2, unchanged: 1, rejected: 1 } },
      problems: [{ code: 'FF_RECORD_DATE', at: 'line 3', key: 'b***@example.edu' }],
      commands: ['feedferry status talks', 'feedferry rejects talks'],
    });
    for (const personal of ['bob@', 'Robert', 'yesterday', SECRET]) expect(body).not.toContain(personal);

    expect(await run(GOOD)).toBe('success');
    expect(await run(GOOD)).toBe('success');
    expect(hook.received.all.map(({ json }) => json.type)).toEqual(['alert', 'recovery']);
  });

  test('Several processes at the same time send one alert', async () => {
    await using hook = await startWebhookServer();
    await using site = await openTalks(`{ webhook: { url: "${hook.url}" } }`, '', engines);
    const { alerts: config, syncs } = loadAppConfig(site.environment());
    const ledgers = await Promise.all([1, 2, 3, 4].map(() => openLedger(site.environment())));
    const log = pino({ level: 'silent' });
    const processes = ledgers.map((ledger) =>
      createAlerts({ config, timezone: 'UTC', ledger, log, userAgent: 'test' }),
    );
    const checkAll = () =>
      Promise.all(processes.flatMap((each) => syncs.map((sync) => each.check(sync, new AbortController().signal))));
    for (const { runs } of ledgers) {
      const run = await runs.begin('talks', 'run');
      await runs.finish(run, { status: 'failed', code: 'FF_FEED_STATUS', message: '503' });
      await checkAll();
    }
    expect(hook.received.all.map(({ json }) => json.kinds)).toEqual([['failed']]);
    await Promise.all([...processes, ...ledgers].map((each) => each.close()));
  });
});

describe('Alerts', () => {
  test('Suppressed messages are counted in the next one', async () => {
    await using hook = await startWebhookServer();
    await using site = await openTalks(`{ webhook: { url: "${hook.url}" }, every: "\${EVERY:-1h}" }`);
    // Without its column of keys, the feed cannot be read.
    site.write('syncs/feeds/talks.csv', 'nothing\n');
    for (let runs = 0; runs < 3; runs += 1) await site.sync();
    expect(hook.received.all).toHaveLength(1);
    site.variables.EVERY = '1ms';
    await site.sync();
    expect(hook.received.all.map(({ json }) => json.times)).toEqual([1, 3]);
  });

  test('A problem that returns is no news before its end was reported, nor is one that was there for a moment', async () => {
    await using hook = await startWebhookServer();
    await using site = await openTalks(`{ webhook: { url: "${hook.url}" }, every: "\${EVERY:-1ms}" }`);
    const run = async (feed: string) => {
      site.write('syncs/feeds/talks.csv', feed);
      await site.sync();
    };
    await run(BAD);
    await run('nothing\n');
    await run(BAD);
    expect(hook.received.all.map(({ json }) => json.kinds)).toEqual([['partial'], ['failed']]);
    site.variables.EVERY = '1h';
    await run(`${BAD}eve@example.edu,Eve,soon,18:00\n`);
    site.variables.EVERY = '1ms';
    await run(BAD);
    expect(hook.received.all).toHaveLength(2);
  });

  test('A failed run, a held run and an empty feed send texts that Slack shows', async () => {
    await using hook = await startWebhookServer();
    await using site = await openTalks(`{ webhook: { url: "${hook.url}", format: slack } }`);
    site.write('syncs/feeds/talks.csv', 'id,title,date,start\n');
    await site.sync();
    site.write('syncs/feeds/talks.csv', GOOD);
    await site.sync();
    site.write('syncs/feeds/talks.csv', 'id,title,date,start\n');
    await site.sync();
    site.write('syncs/feeds/talks.csv', '<html><a href="x">&</a></html>');
    await site.sync();

    const messages = hook.received.all.map(({ json }) => json);
    expect(messages.map((message) => Object.keys(message))).toEqual(messages.map(() => ['text']));
    expect(messages.map(({ text }) => text.split('\n')[0])).toEqual([
      '*talks: the feed has no records*',
      '*talks: working again*',
      '*talks: the run is held, nothing was changed*',
      '*talks: the run failed*',
    ]);
    expect(messages[2]?.text).toContain('FF_GUARD_EMPTY');
    expect(messages[3]?.text).toMatch(/FF_FEED_\w+/);
    for (const { text } of messages) expect(text).not.toMatch(/[<>]/);
  });

  test('E-mail recipients get an alert', async () => {
    await using mail = await startMailServer();
    await using site = await openTalks(
      `{ email: { from: Feeds <feeds@example.edu>, to: [a@example.edu, b@example.edu], smtp: "smtp://feeds:p%2Fw@127.0.0.1:${mail.port}" } }`,
    );
    site.write('syncs/feeds/talks.csv', BAD);
    await site.sync();
    expect(mail.received.all).toMatchObject([
      { from: 'feeds@example.edu', to: ['a@example.edu', 'b@example.edu'], user: 'feeds' },
    ]);
    const [{ content } = { content: '' }] = mail.received.all;
    expect(content).toContain('Subject: [feedferry] talks: some records were not delivered');
    expect(content).toContain('b***@example.edu');
    expect(content).not.toContain('yesterday');
  });

  test('The recipients of a sync replace those of feedferry.yaml', async () => {
    await using mail = await startMailServer();
    await using site = await openTalks(
      `{ email: { from: feeds@example.edu, to: a@example.edu, smtp: "smtp://127.0.0.1:${mail.port}" } }`,
      'alerts: { email: { to: [talks@example.edu] } }\n',
    );
    site.write('syncs/feeds/talks.csv', BAD);
    await site.sync();
    expect(mail.received.all.map(({ to }) => to)).toEqual([['talks@example.edu']]);
  });

  test.each([
    ['feeds:p%2Fw', 'a@example.edu', 200, 0, ['webhook: sent. status 200', 'a@example.edu: sent. 250 ']],
    [
      'feeds:p%2Fw',
      'a@example.edu',
      404,
      3,
      ['webhook: not sent.', 'There is no webhook at this address', ': sent. 250 '],
    ],
    ['feeds:no', 'a@example.edu', 500, 1, ['Try again later.', 'Correct `user` and `password` of `alerts.email.smtp`']],
    ['feeds:p%2Fw', 'nobody@example.edu', 401, 1, ['correct its token', 'Correct the address of the recipient']],
  ])('A test with %s to %s and status %d ends with %d', async (user, to, status, exitCode, texts) => {
    await using mail = await startMailServer();
    await using hook = await startWebhookServer();
    hook.answers.push(status);
    await using site = await openTalks(
      `{ webhook: { url: "${hook.url}" }, email: { from: feeds@example.edu, to: ${to}, smtp: "smtp://${user}@127.0.0.1:${mail.port}" } }`,
    );
    const result = await runHere(['alerts', 'test', 'talks'], site.variables);
    for (const text of texts) expect(result.stdout).toContain(text);
    expect(result.stdout).not.toMatch(/p%2Fw|p\/w|:no\b/);
    expect(result.exitCode).toBe(exitCode);
    const list = await runHere(['alerts'], site.variables);
    expect(list.stdout).toMatch(/talks +webhook +failed, held/);
    expect(list.stdout.includes('The webhook responded with status')).toBe(status !== 200);
  });

  test('The list of hearers has a row for each recipient, tells tests from messages, and fits a terminal', async () => {
    await using mail = await startMailServer();
    const to = '[nobody@example.edu, web@example.edu]';
    await using site = await openTalks(
      `{ email: { from: feeds@example.edu, to: ${to}, smtp: "smtp://127.0.0.1:${mail.port}" } }`,
    );
    await runHere(['alerts', 'test'], site.variables);
    const { hearers } = (await runHere(['alerts', '--json'], site.variables)).json<{ hearers: object[] }>();
    expect(hearers).toMatchObject([
      { sync: 'talks', to: 'nobody@example.edu', failedAt: expect.any(String), failure: expect.stringContaining('55') },
      { sync: 'talks', to: 'web@example.edu', testedAt: expect.any(String) },
    ]);
    expect(hearers.filter((each) => 'sentAt' in each || ('testedAt' in each && 'failedAt' in each))).toEqual([]);
    const { stdout } = await runHere(['alerts'], { ...site.variables, COLUMNS: '80' });
    expect(stdout).toMatch(/talks +nobody@example\.edu +failed, +– +[A-Z][a-z]{2} \d\d \d\d:\d\d\n/);
    expect(stdout).toMatch(/talks +web@example\.edu +failed, +– +[A-Z][a-z]{2} \d\d \d\d:\d\d\n/);
  });

  test('A test to nobody says what to write', async () => {
    await using site = await openSite(simplest);
    writeTalksSync(site);
    const { exitCode, stderr } = await runHere(['alerts', 'test'], site.variables);
    expect(stderr).toContain('There is nobody to write to');
    expect(exitCode).toBe(1);
    expect((await runHere(['alerts'], site.variables)).stdout).toContain('Nobody: feedferry.yaml has no `alerts`.');
  });

  test('A webhook that fails briefly is tried again, and redirects are not followed', async () => {
    await using hook = await startWebhookServer();
    await using other = await startWebhookServer();
    await using site = await openTalks(`{ webhook: { url: "${hook.url}" } }`);
    hook.location = other.url;
    hook.answers.push(307);
    site.write('syncs/feeds/talks.csv', BAD);
    await site.sync();
    const [first, second, ...more] = hook.received.all;
    expect(second?.json.id).toBe(first?.json.id);
    expect(more).toEqual([]);
    expect(other.received.all).toEqual([]);
  });

  test('A webhook that keeps failing fails no run and delays no other channel', async () => {
    await using hook = await startWebhookServer();
    await using mail = await startMailServer();
    await using site = await openTalks(
      `{ webhook: { url: "${hook.url}" }, email: { from: feeds@example.edu, to: a@example.edu, smtp: "smtp://127.0.0.1:${mail.port}" } }`,
    );
    hook.answers.push(500, 404, 503);
    site.write('syncs/feeds/talks.csv', BAD);
    expect(await site.sync()).toMatchObject([{ status: 'partial' }]);
    expect(hook.received.all).toHaveLength(3);
    expect(mail.received.all).toHaveLength(1);
    await site.sync();
    expect(hook.received.all).toHaveLength(3);
    expect(mail.received.all).toHaveLength(1);
  });

  test('A sync may limit its alerts or switch them off', async () => {
    await using hook = await startWebhookServer();
    await using site = await openTalks(`{ webhook: { url: "${hook.url}" } }`, 'alerts: { on: [failed] }\n');
    site.write(
      'syncs/quiet.yaml',
      'resource: events\nsource: { connector: csv, url: ./gone.csv }\nkey: id\nalerts: false\n',
    );
    site.write('syncs/feeds/talks.csv', BAD);
    expect((await site.sync()).map(({ status }) => status)).toEqual(['failed', 'partial']);
    expect(hook.received.all).toEqual([]);
  });

  test('An alert that could not be sent is sent by a later process', async () => {
    await using hook = await startWebhookServer();
    await using site = await openTalks(`{ webhook: { url: "${hook.url}" } }`);
    const { alerts: config, syncs } = loadAppConfig(site.environment());
    const ledger = await openLedger(site.environment());
    const lines: string[] = [];
    const log = pino({}, { write: (line) => lines.push(line) });
    await ledger.runs.finish(await ledger.runs.begin('talks', 'run'));
    const look = async () => {
      const later = { backoffMs: 1, maxBackoffMs: 1 };
      const alerts = createAlerts({ config, timezone: 'UTC', ledger, log, userAgent: 'test', later });
      for (const sync of syncs) await alerts.check(sync, new AbortController().signal);
      await alerts.close();
    };
    hook.answers.push(500, 500, 500);
    await look();
    expect(hook.received.all).toHaveLength(3);
    await look();
    expect(new Set(hook.received.all.map(({ json }) => json.id)).size).toBe(1);
    expect(hook.received.all).toHaveLength(4);
    await look();
    expect(hook.received.all).toHaveLength(4);
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries).toMatchObject([
      { level: 40, sync: 'talks', run: expect.any(String), channel: 'webhook', code: 'FF_ALERT_UNSENT' },
      { level: 30, sync: 'talks', run: expect.any(String), channel: 'webhook' },
    ]);
    // The address of a webhook lets anybody in who knows it.
    expect(lines.join()).not.toContain('/hook');
    await ledger.close();
  });

  test('A signal interrupts a slow alert, and the next process sends it', async () => {
    await using silent = await startHangingServer();
    await using hook = await startWebhookServer();
    await using site = await openTalks('{ webhook: { url: "${HOOK}" } }');
    const ledger = await openLedger(site.environment());
    await ledger.runs.finish(await ledger.runs.begin('talks', 'run'));
    const look = async (url: string, signal: AbortSignal) => {
      site.variables.HOOK = url;
      const { alerts: config, syncs } = loadAppConfig(site.environment());
      const alerts = createAlerts({
        config,
        timezone: 'UTC',
        ledger,
        log: pino({ level: 'silent' }),
        userAgent: 'test',
      });
      for (const sync of syncs) await alerts.check(sync, signal);
      await alerts.close();
    };
    const stopping = new AbortController();
    const stopped = look(silent.url, stopping.signal);
    await silent.asked;
    stopping.abort();
    await stopped;
    await look(hook.url, new AbortController().signal);
    expect(hook.received.all).toHaveLength(1);
    await ledger.close();
  });

  test('The start command verifies the CMS, and reports what differs until it is repaired', async () => {
    await using hook = await startWebhookServer();
    await using site = await openTalks(`{ webhook: { url: "${hook.url}" }, every: 1s }`, 'verify: { every: 1s }');
    await site.sync();
    const [item] = await site.items('calendar/events');
    await site.request('PATCH', `api/v1/calendar/events/${item?.id}`, { title: 'Edited' });
    const { child, finished } = start(['start'], site.variables);
    const [alert] = await hook.received.arrived(1);
    expect(alert?.json).toMatchObject({
      type: 'alert',
      sync: 'talks',
      kinds: ['drift'],
      commands: ['feedferry verify talks'],
    });
    expect(alert?.json.text).toContain('Differences: 1 edited.');
    expect(alert?.body).not.toContain('Edited');
    await runHere(['verify', '--heal'], site.variables);
    await expect.poll(() => hook.received.all.at(-1)?.json).toMatchObject({ type: 'recovery', kinds: ['drift'] });
    child.kill('SIGTERM');
    expect((await finished).exitCode).toBe(143);
  });

  test('The start command reports a killed process, stale syncs, and their recovery', async () => {
    await using hook = await startWebhookServer();
    await using site = await openTalks(`{ webhook: { url: "${hook.url}" }, every: 1s, staleAfter: 3s }`);
    await site.sync();
    await using feed = await startHangingServer();
    site.write(
      'syncs/hangs.yaml',
      `resource: events\nsource: { connector: csv, url: "${feed.url}", allowPrivateNetwork: true }\nkey: id\n`,
    );
    const killed = start(['sync', 'hangs'], site.variables);
    await feed.asked;
    killed.child.kill('SIGKILL');
    await killed.finished;
    const { child, finished } = start(['start'], site.variables);
    const alerts = (await hook.received.arrived(3)).map(({ json }) => json);
    expect(alerts.map(({ sync, kinds }) => `${String(sync)} ${String(kinds)}`).sort()).toEqual([
      'hangs failed',
      'hangs stale',
      'talks stale',
    ]);
    expect(alerts.find(({ kinds }) => kinds?.includes('failed'))?.text).toContain('FF_RUN_ABANDONED');
    await site.sync(['talks']);
    const [, , , recovery] = await hook.received.arrived(4);
    expect(recovery?.json).toMatchObject({ type: 'recovery', sync: 'talks', kinds: ['stale'] });
    child.kill('SIGTERM');
    expect((await finished).exitCode).toBe(143);
  });
});
