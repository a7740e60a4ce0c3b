import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../src/config/load.ts';
import { connectors, env, events, folder, loadSync, problems, target } from '../setup.ts';

const variables = { ...env, SECRET: 'hush-hush', PORT: '2525', TIMES: '5' };

function load(alerts: string) {
  const files = { 'feedferry.yaml': `${target}alerts:\n${alerts}`, 'syncs/a.yaml': events };
  return loadConfig(folder(files), connectors, variables).alerts;
}

function mistakes(alerts: string): string[] {
  return problems({ 'feedferry.yaml': `${target}alerts:\n${alerts}`, 'syncs/a.yaml': events }, variables);
}

describe('Alerts in feedferry.yaml', () => {
  test('The defaults are all kinds, once an hour, stale after three intervals', () => {
    expect(load('  webhook: { url: http://127.0.0.1:9000/hook }\n')).toEqual({
      on: ['failed', 'held', 'drift', 'empty', 'partial', 'stale'],
      everyMs: 3_600_000,
      staleAfter: { intervals: 3 },
      webhook: { url: 'http://127.0.0.1:9000/hook', format: 'json', headers: {} },
    });
  });

  test('Every key may be set', () => {
    const alerts = load(`  on: [failed]
  every: 10m
  staleAfter: \${TIMES}
  webhook: { url: https://chat.example.edu/x, secret: "\${SECRET}", format: slack, headers: { X-Key: "\${SECRET}" } }
  email: { from: Feeds <feeds@example.edu>, to: ops@example.edu, smtp: { host: mail, port: "\${PORT}", user: u, password: "\${SECRET}" } }
`);
    expect(alerts).toEqual({
      on: ['failed'],
      everyMs: 600_000,
      staleAfter: { intervals: 5 },
      webhook: {
        url: 'https://chat.example.edu/x',
        secret: 'hush-hush',
        format: 'slack',
        headers: { 'X-Key': 'hush-hush' },
      },
      email: {
        from: 'Feeds <feeds@example.edu>',
        to: ['ops@example.edu'],
        smtp: { host: 'mail', port: 2525, secure: false, auth: { user: 'u', password: 'hush-hush' } },
      },
    });
  });

  test.each([
    ['smtp://mail.example.edu', { host: 'mail.example.edu', port: 587, secure: false }],
    ['smtps://mail.example.edu', { host: 'mail.example.edu', port: 465, secure: true }],
    [
      'smtp://me%40example.edu:p%2Fw@127.0.0.1:2525',
      { host: '127.0.0.1', port: 2525, secure: false, auth: { user: 'me@example.edu', password: 'p/w' } },
    ],
  ])('The mail server may be given as the address %s', (address, smtp) => {
    expect(load(`  email: { from: a@b.edu, to: [c@d.edu], smtp: "${address}" }\n`)?.email?.smtp).toEqual(smtp);
  });

  test.each([
    ['  every: 1h\n', 'needs webhook, email or both'],
    ['  webhook: { url: "ftp://x/y" }\n', 'must be an http:// or https:// address'],
    ['  webhook: { url: "https://me:hush-hush@x/y" }\n', 'must be an address without a user name; use headers'],
    ['  email: { from: a@b.edu, to: c@d.edu, smtp: mail }\n', 'must be an smtp:// or smtps:// address'],
    ['  email: { from: a@b.edu, to: c@d.edu, smtp: "smtp://u:%zz@m" }\n', 'must be an smtp:// or smtps:// address'],
    ['  email: { from: a@b.edu, to: c@d.edu, smtp: { host: m, user: u } }\n', 'needs both user and password'],
    [
      '  webhook: { url: "https://x/y" }\n  on: [broken]\n',
      'must be one of failed, held, drift, empty, partial, stale',
    ],
  ])('Mistakes are reported without secrets: %s', (alerts, message) => {
    const [reported, ...others] = mistakes(alerts);
    expect(reported).toContain(message);
    expect(others).toEqual([]);
    expect(reported).not.toContain('hush-hush');
  });
});

describe('Alerts in a sync file', () => {
  test.each([
    ['alerts: false\n', false],
    ['alerts: { on: [stale], staleAfter: 6h }\n', { on: ['stale'], staleAfter: { ageMs: 21_600_000 } }],
    ['', undefined],
  ])('The alerts of a sync may be %j', (line, alerts) => {
    expect(loadSync(events + line).alerts).toEqual(alerts);
  });
});

describe('People to write to in a sync file', () => {
  const email = 'alerts: { email: { from: a@b.edu, to: c@d.edu, smtp: smtp://m } }\n';
  const load = (lines: string) =>
    loadConfig(folder({ 'feedferry.yaml': target + email, 'syncs/a.yaml': lines }), connectors, variables).syncs[0];
  const defaults = { language: 'en', every: 86_400_000, linkDays: 30 };

  test.each([
    ['owner: rosa@example.org\n', [{ email: 'rosa@example.org', ...defaults }]],
    [
      'owner: [{ email: rosa@example.org, name: Rosa, language: de, every: 7d, linkDays: 3 }, b@example.org]\n',
      [
        { email: 'rosa@example.org', name: 'Rosa', language: 'de', every: 604_800_000, linkDays: 3 },
        { email: 'b@example.org', ...defaults },
      ],
    ],
  ])('%s', (line, owner) => {
    expect(load(events + line)?.owner).toEqual(owner);
  });

  test('An alert of one sync may have other recipients', () => {
    expect(load(`${events}alerts: { email: { to: x@y.edu } }\n`)?.alerts).toEqual({ email: { to: ['x@y.edu'] } });
  });

  test('A source of several may have an owner of its own', () => {
    const lines = `resource: events
owner: all@example.org
sources:
  a: { connector: csv, url: a.csv, key: id, owner: rosa@example.org }
  b: { connector: csv, url: b.csv, key: id }
`;
    const sync = load(lines);
    expect(sync?.owner).toMatchObject([{ email: 'all@example.org' }]);
    expect(sync?.sources?.map(({ sync: { owner } }) => owner?.[0]?.email)).toEqual(['rosa@example.org', undefined]);
  });

  test.each(['owner: rosa@example.org\n', 'alerts: { email: { to: x@y.edu } }\n'])(
    'Without a mail server, this is a mistake: %s',
    (line) => {
      expect(problems({ 'feedferry.yaml': target, 'syncs/a.yaml': events + line }, variables)).toEqual([
        expect.stringContaining('needs a mail server'),
      ]);
    },
  );
});
