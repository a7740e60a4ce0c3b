import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { examine } from '../../../src/doctor/examine.ts';
import type { Finding } from '../../../src/doctor/findings/finding.ts';
import { findRedisServer, startPrivateRedis } from '../../support/private-redis.ts';
import { setFaults, writePeopleSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { type Engines, farthest, openSite, png, type Site, type SiteOptions, simplest } from '../site.ts';

/** Whether newer rules are known depends on the Node that runs the tests, and on the day. */
const ZONE_RULES = 'node.zones';

async function siteWithFeeds(engines: Engines = simplest, options: SiteOptions = {}): Promise<Site> {
  const site = await openSite(engines, { isNew: true, ...options });
  site.write(
    'syncs/talks.yaml',
    `resource: events
source: { connector: csv, url: ./feeds/talks.csv, timezone: Europe/Berlin }
key: id
map: { title: title, date: date, endDate: until, time.start: start }
attachments: { image: image }
schedule: { cron: "0 6 * * *" }
`,
  );
  site.write(
    'syncs/feeds/talks.csv',
    `id,title,date,until,start,image
T1,Old Maps,2027-03-01,2027-03-01,18:00,map.png
T2,Ships,2027-03-02,2027-03-04,10:00,
T3,Stars,2027-03-09,2027-03-09,20:00,
`,
  );
  site.write('syncs/feeds/map.png', png(1));
  site.write(
    'syncs/people.yaml',
    `resource: accounts
source: { connector: json, url: ./feeds/people.json }
key: email
map: { email: email, username: login }
`,
  );
  site.write('syncs/feeds/people.json', '[{"email":"one@example.edu","login":"one"}]');
  return site;
}

async function look(site: Site): Promise<Finding[]> {
  const findings: Finding[] = [];
  const [environment, log, signal] = [site.environment(), pino({ level: 'silent' }), new AbortController().signal];
  for await (const finding of examine({ environment, log, signal })) findings.push(finding);
  return findings;
}

function of(check: string, findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.check === check);
}

function notOk(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ is, check }) => is !== 'ok' && check !== ZONE_RULES);
}

/** What doctor rightly finds about the private Redis of the tests. */
const unsaved: Partial<Finding> = { check: 'redis.persistence', is: 'warning' };

describe.each(farthest)('Doctor on $ledger and $queue', (engines) => {
  test('Doctor finds no problem on a healthy site, before and after the first run, and writes nothing', async () => {
    await using site = await siteWithFeeds(engines);
    const expected = engines.queue === 'bullmq' ? [unsaved] : [];
    expect(notOk(await look(site))).toMatchObject(expected);
    expect(existsSync(join(site.dir, 'data'))).toBe(false);

    await site.sync();
    const wrote = site.writes();
    expect(wrote).toMatchObject({ 'POST /calendar/events': 3, 'POST /account/accounts': 1 });
    const findings = await look(site);
    expect(notOk(findings)).toMatchObject(expected);
    expect(site.writes()).toEqual({});
    expect(of('ledger', findings)[0]?.message).toMatch(
      /: 4 records, 2 runs, 4 attempts.* MB, runs since \d{4}-\d\d-\d\d\.$/,
    );
    expect(of('ledger', await look(site))[0]?.message).toMatch(/: 4 records, 2 runs, 4 attempts/);
    expect(of('ledger.clock', findings)).toHaveLength(engines.ledger === 'postgresql' ? 1 : 0);
    expect(of('redis.jobs', findings).map(({ message }) => message)).toEqual(
      engines.queue === 'bullmq' ? ['Jobs: 0 waiting, 0 active, 0 delayed, 0 failed.'] : [],
    );
  });
});

describe('Findings of doctor', () => {
  test('Doctor says how near the last run of a sync came to the limits, by their present values', async () => {
    await using site = await openSite(simplest);
    const write = (titles: readonly string[], more = '') => {
      const rule = `missing: { policy: delete, after: 1 run, threshold: { percent: 40 } }\n${more}`;
      const source = 'source: { connector: csv, url: ./talks.csv, timezone: Europe/Berlin }';
      site.write(
        'syncs/talks.yaml',
        `resource: events\n${source}\nkey: id\nmap: { title: title, start: start }\n${rule}`,
      );
      const rows = titles.map((title, nth) => `${nth},${title},2031-01-0${nth + 1}T10:00`);
      site.write('syncs/talks.csv', ['id,title,start', ...rows, ''].join('\n'));
    };
    const titles = ['Wind', 'Rain', 'Snow', 'Hail', 'Fog'];
    for (const part of [titles, ['Storm', ...titles.slice(1, 4)], ['Storm', ...titles.slice(1, 4)]]) {
      write(part);
      expect(await site.sync()).toMatchObject([{ status: 'success' }]);
    }
    write(titles, 'changes: { core: { percent: 30, atLeast: 4 } }\n');
    expect(of('limits.talks', await look(site)).map(({ message }) => message)).toEqual([
      'talks: Title, day or time of 1 of the 4 published records in the feed of "talks" have changed (25 %) in its last run with changes. More than 30 % would hold it.',
      'talks: 1 of the 5 records expected in "talks" are missing from the feed (20 %) in its last run with changes. More than 40 % would hold it.',
      'talks: 1 of the 4 published records in the feed of "talks" have changed (25 %) in its last run with changes. More than 50 % of at least 20 would hold it.',
    ]);
  });

  test('Doctor reports on feeds, zones and the CMS', async () => {
    await using site = await siteWithFeeds();
    await site.sync();
    const findings = await look(site);
    expect(of('feed.talks', findings)).toMatchObject([
      { message: 'talks: 3 records read, 3 can be delivered, 0 skipped.' },
    ]);
    expect(of('limits.talks', findings)).toEqual([]);
    expect(of('feed.talks.attachment', findings)[0]?.message).toMatch(/first image can be read \(image\/png/);
    expect(of('zones', findings)[0]?.message).toMatch(/E[SD]T \(America\/New_York\)/);
    expect(of('zones.sources', findings)[0]?.message).toMatch(/CES?T \(Europe\/Berlin\)/);
    expect(of('zones.talks', findings)[0]?.message).toMatch(/^talks runs next at \d{4}-\d\d-\d\d 06:00 /);
    const cms = findings.filter(({ check }) => check.startsWith('cms.')).map(({ message }) => message);
    expect(cms).toEqual([
      expect.stringMatching(/^accounts: .* accepts the token and the headers .* \(items: 1\)\.$/),
      expect.stringMatching(/^events: .* \(items: 3\)\.$/),
      'Requests are sent: the CMS is neither paused nor stopped.',
      expect.stringMatching(/clocks of the CMS and of this machine agree/),
      'accounts: 1 of 1 checked items have the attribute source_key. It has a value in 1 of the 1 that feedferry delivered.',
      'events: 3 of 3 checked items have the attribute source_key. It has a value in 3 of the 3 that feedferry delivered.',
    ]);
  });

  test('Doctor finds nothing wrong with a CMS that has other conventions', async () => {
    const switches = { lastPage: 'error', maxLimit: 25, attributesFilter: 'ignored', dateFilter: 'starts' } as const;
    await using site = await siteWithFeeds(simplest, { switches });
    await site.sync();
    expect(notOk(await look(site))).toEqual([]);
  });

  test('Doctor finds nothing wrong with a CMS that refuses large pages', async () => {
    await using site = await siteWithFeeds(simplest, { switches: { maxLimit: 2, overLimit: 422 } });
    await site.sync();
    const findings = await look(site);
    expect(notOk(findings)).toEqual([]);
  });

  test('Doctor never shows the key of passwords', async () => {
    await using site = await siteWithFeeds();
    writePeopleSync(site, '', { map: 'email: email, username: login, password: { generate: true }' });
    expect(of('secret', await look(site))).toMatchObject([{ is: 'ok' }]);
    site.variables.FEEDFERRY_SECRET = 'a key that is never shown';
    const findings = await look(site);
    expect(of('secret', findings)).toMatchObject([{ is: 'ok' }]);
    expect(JSON.stringify(findings)).not.toContain('never shown');
  });

  test('Doctor prints grouped text without colours, and one object with --json', async () => {
    await using site = await siteWithFeeds();
    const printed = await runHere(['doctor'], site.variables);
    expect(printed.exitCode).toBe(0);
    expect(printed.stderr).toBe('');
    expect(printed.stdout).not.toContain('\u001B');
    expect(printed.stdout).toMatch(/^config\n {2}✓ .* is valid: 2 syncs .*\n\nnode\n/);
    expect(printed.stdout.match(/^\w+$/gm)).toEqual([
      'config',
      'node',
      'data',
      'ledger',
      'redis',
      'zones',
      'feed',
      'cms',
    ]);
    expect(printed.stdout).toMatch(/\n(No problems found\. Findings: \d+|Problems: 0, warnings: 1, OK: \d+)\.\n$/);

    const json = await runHere(['doctor', '--json'], site.variables);
    expect(json.exitCode).toBe(0);
    const { findings, ok } = json.json<{ findings: Finding[]; ok: boolean }>();
    expect(ok).toBe(true);
    expect(notOk(findings)).toEqual([]);
    expect(site.writes()).toEqual({});
  });
});

describe('Doctor reports each problem with its consequence and remedy, and still checks the rest', () => {
  const zones = expect.objectContaining({ check: 'zones', is: 'ok' });
  const access = expect.objectContaining({ check: 'cms.access', is: 'ok' });

  test('A wrong token exits with code 1 and is not shown', async () => {
    await using site = await siteWithFeeds();
    site.variables.CMS_API_TOKEN = 'not-the-token';
    const { exitCode, stdout, stderr } = await runHere(['doctor'], site.variables);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/✗ FF_CMS_UNAUTHORIZED .*401.*\n {4}No accounts can be delivered\.\n {4}→ Create a token/);
    expect(stdout).toMatch(/Problems: 1, warnings: [01], OK: \d+/);
    expect(stdout + stderr).not.toMatch(/not-the-token/);
  });

  test('An unreachable CMS is a problem', async () => {
    await using site = await siteWithFeeds();
    site.variables.CMS_BASE_URL = 'http://127.0.0.1:1';
    const findings = await look(site);
    expect(notOk(findings)).toMatchObject([{ check: 'cms.access', is: 'problem', code: 'FF_CMS_UNREACHABLE' }]);
    expect(findings).toContainEqual(zones);
    expect(of('feed.talks', findings)).toMatchObject([{ is: 'ok' }]);
  });

  test('A site without the API of the CMS is a problem', async () => {
    await using site = await siteWithFeeds();
    site.variables.CMS_BASE_URL = `${site.variables.CMS_BASE_URL}/blog`;
    const findings = await look(site);
    expect(of('cms.access', findings)).toMatchObject([
      { is: 'problem', code: 'FF_CMS_NOT_FOUND', remedy: expect.stringMatching(/baseUrl/) },
      { is: 'problem', code: 'FF_CMS_NOT_FOUND' },
    ]);
  });

  test('A feed that is a web page is a problem', async () => {
    await using site = await siteWithFeeds();
    site.write('syncs/feeds/talks.csv', '<!doctype html><html><title>Sign in</title></html>');
    const findings = await look(site);
    expect(notOk(findings)).toMatchObject([
      {
        check: 'feed.talks',
        is: 'problem',
        code: 'FF_FEED_FORMAT',
        follows: expect.stringMatching(/stay as they are/),
      },
    ]);
    expect(of('feed.people', findings)).toMatchObject([{ is: 'ok' }]);
    expect(findings).toContainEqual(access);
  });

  test('Empty feeds, rejected records and missing files are reported without their values', async () => {
    await using site = await siteWithFeeds();
    site.write('syncs/feeds/talks.csv', 'id,title,date,until,start,image\nT1,Secret Maps,soon,soon,18:00,\n');
    site.write(
      'syncs/feeds/people.json',
      '[{"email":"one@example.edu","login":"one"},{"email":"ONE@example.edu","login":"uno"},{"email":"two@example.edu","login":"two"},{"login":"three"}]',
    );
    const findings = await look(site);
    expect(notOk(findings)).toMatchObject(
      [
        {
          check: 'feed.people.rejected',
          is: 'warning',
          code: 'FF_RECORD_DUPLICATE',
          message: /people: 2 of 4 records rejected/,
        },
        {
          check: 'feed.people.rejected',
          is: 'warning',
          code: 'FF_RECORD_KEY',
          message: /people: 1 of 4 records rejected/,
        },
        { check: 'feed.talks', is: 'problem', message: 'talks: 1 records read, 0 can be delivered, 0 skipped.' },
        { check: 'feed.talks.rejected', is: 'warning', code: 'FF_RECORD_DATE', message: /the first at line 2/ },
      ].map(({ message, ...rest }) => ({
        ...rest,
        message: message instanceof RegExp ? expect.stringMatching(message) : message,
      })),
    );
    expect(JSON.stringify(findings)).not.toMatch(/example\.edu"|one@|\buno\b|Secret/i);

    site.write(
      'syncs/feeds/talks.csv',
      'id,title,date,until,start,image\nT1,Maps,2027-03-01,2027-03-01,18:00,gone.png\n',
    );
    expect(notOk(await look(site)).at(-1)).toMatchObject({
      check: 'feed.talks.attachment',
      is: 'warning',
      code: 'FF_ATTACHMENT_UNREADABLE',
      follows: 'Its record is published without the file.',
    });
  });

  test('A read-only data directory is a problem', async () => {
    await using site = await siteWithFeeds();
    // A file where the folder should be: root may write everywhere else.
    writeFileSync(join(site.dir, 'file'), '');
    site.variables.FEEDFERRY_DATA = join(site.dir, 'file', 'data');
    delete site.variables.DATABASE_URL;
    const findings = await look(site);
    expect(notOk(findings)).toMatchObject([{ check: 'data', is: 'problem', code: 'FF_DATA_DIR' }]);
    expect(findings).toContainEqual(access);
  });

  test('A ledger file that is not a database is a problem', async () => {
    await using site = await siteWithFeeds();
    await site.sync();
    writeFileSync(join(site.dir, 'data', 'ledger.sqlite'), 'This is not the ledger. '.repeat(100));
    const findings = await look(site);
    expect(notOk(findings)).toMatchObject([{ check: 'ledger', is: 'problem', code: 'FF_LEDGER_DAMAGED' }]);
    expect(findings).toContainEqual(access);
  });

  test('Unreachable PostgreSQL and Redis servers are reported without their passwords', async () => {
    await using site = await siteWithFeeds();
    site.variables.DATABASE_URL = 'postgresql://someone:hidden-password@127.0.0.1:1/nowhere';
    site.variables.REDIS_URL = 'redis://:hidden-password@127.0.0.1:1';
    const findings = await look(site);
    expect(notOk(findings)).toMatchObject([
      { check: 'ledger', is: 'problem', code: 'FF_LEDGER_UNAVAILABLE' },
      { check: 'redis', is: 'problem', code: 'FF_QUEUE_UNAVAILABLE' },
    ]);
    expect(findings).toContainEqual(access);
    expect(JSON.stringify(findings)).not.toContain('hidden-password');
  });

  test('An unknown zone and other config mistakes exit with code 2', async () => {
    await using site = await siteWithFeeds();
    site.write(
      'syncs/talks.yaml',
      'resource: events\nsource:\n  connector: csv\n  url: ./feeds/talks.csv\n  timezone: Europe/Brelin\nkye: id\n',
    );
    const { exitCode, json } = await runHere(['doctor', '--json'], site.variables);
    expect(exitCode).toBe(2);
    const { findings, ok } = json<{ findings: Finding[]; ok: boolean }>();
    expect(ok).toBe(false);
    const messages = of('config', findings).map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/talks\.yaml:5:\d+: .*IANA time zone.*Europe\/Brelin/));
    expect(messages).toContainEqual(expect.stringMatching(/talks\.yaml:6:1: .*kye/));
    expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['node', 'data', 'ledger', 'redis']));
  });

  test.skipIf(!findRedisServer())('A Redis that evicts jobs is a problem', async () => {
    const redis = await startPrivateRedis(findRedisServer() ?? '');
    const client = new Redis(redis.url);
    try {
      await client.config('SET', 'maxmemory-policy', 'allkeys-lru', 'save', '3600 1');
      await using site = await siteWithFeeds();
      site.variables.REDIS_URL = redis.url;
      const findings = await look(site);
      expect(notOk(findings)).toMatchObject([{ check: 'redis.eviction', is: 'problem' }]);
      expect(await client.keys('*')).toEqual([]);
    } finally {
      client.disconnect();
      await redis.stop();
    }
  });

  test('An external-id attribute that the CMS does not show is a problem', async () => {
    await using site = await siteWithFeeds();
    await site.sync();
    for (const { id } of await site.items('calendar/events')) {
      await site.request('PATCH', `api/v1/calendar/events/${id}`, { source_key: null });
    }
    const findings = await look(site);
    expect(notOk(findings)).toMatchObject([{ check: 'cms.external-id', is: 'warning' }]);
  });
});

test('A stopped CMS gets requests again after doctor has seen that it accepts the token', async () => {
  await using site = await siteWithFeeds();
  await setFaults(site, { kind: 'unauthorized' });
  expect(await site.sync(['talks'])).toMatchObject([{ status: 'failed', error: { code: 'FF_CMS_UNAUTHORIZED' } }]);
  expect(of('cms.state', await look(site))).toMatchObject([{ is: 'problem', code: 'FF_CMS_UNAUTHORIZED' }]);

  await setFaults(site);
  const findings = await look(site);
  expect(notOk(findings)).toEqual([]);
  expect(of('cms.state', findings)[0]?.message).toMatch(/was stopped .* requests are sent again/);
  expect(of('cms.state', await look(site))[0]?.message).toMatch(/neither paused nor stopped/);
});
