import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { cliCommands } from '../docker/cli-commands.ts';
import { knownVariables } from './known-variables.ts';

const folder = join(import.meta.dirname, '../../../deploy/systemd');
const lasting = ['feedferry.service', 'feedferry-worker@.service'];
const services = [...lasting, 'feedferry-sync.service'];

describe.each(services)('The unit %s', (file) => {
  const unit = readUnit(file);

  test('starts a command that exists, with variables that the program reads', () => {
    const [, command] = /^\/usr\/local\/bin\/feedferry (\w+)$/.exec(unit.ExecStart?.[0] ?? '') ?? [];
    expect(cliCommands).toContain(command);
    const names = (unit.Environment ?? []).map((pair) => pair.split('=')[0]);
    expect([...knownVariables]).toEqual(expect.arrayContaining(names));
  });

  test('gets each secret as a credential, and names its file', () => {
    const credentials = (unit.LoadCredential ?? []).map((credential) => credential.split(':')[0]);
    const named = (unit.Environment ?? []).flatMap((pair) => /_FILE=%d\/(\w+)$/.exec(pair)?.[1] ?? []);
    expect(named).toEqual(credentials);
    expect(credentials).toContain('cms_api_token');
    expect(unit.Environment?.join()).not.toMatch(/(TOKEN|SECRET|URL)=/);
  });

  test('may write to its state directory and nowhere else', () => {
    const [data] = unit.Environment?.flatMap((pair) => /^FEEDFERRY_DATA=%S\/(.*)$/.exec(pair)?.[1] ?? []) ?? [];
    expect(unit.StateDirectory).toEqual([data]);
    expect(unit).toMatchObject({
      User: ['feedferry'],
      ProtectSystem: ['strict'],
      ProtectHome: ['yes'],
      NoNewPrivileges: ['yes'],
      CapabilityBoundingSet: [''],
    });
    expect(unit).not.toHaveProperty('ReadWritePaths');
  });

  test('has enough time for a clean stop, which does not count as a failure', () => {
    const stopAfter = Number(/STOP_AFTER=(\d+)/.exec(unit.Environment?.join(' ') ?? '')?.[1]);
    expect(Number(unit.TimeoutStopSec?.[0])).toBeGreaterThan(stopAfter + 5);
    expect(unit.SuccessExitStatus).toEqual([`${EXIT.SIGINT} ${EXIT.SIGTERM}`]);
  });
});

test.each(services)('The unit %s starts the program where the documented installation puts it', (file) => {
  const [program] = readUnit(file).ExecStart?.[0]?.split(' ') ?? [];
  for (const page of ['installation.md', 'upgrading.md']) {
    const text = readFileSync(join(folder, '../../docs', page), 'utf8');
    const installs = [...text.matchAll(/npm install --global(?: --prefix (\S+))? .*npm pack/g)];
    expect({ page, programs: installs.map(([, prefix]) => `${prefix}/bin/feedferry`) }).toEqual({
      page,
      programs: [program],
    });
  }
});

test.each(lasting)('The unit %s is restarted after a failure, except with an invalid config', (file) => {
  expect(readUnit(file)).toMatchObject({
    Type: ['exec'],
    ExecReload: ['/bin/kill -HUP $MAINPID'],
    Restart: ['on-failure'],
    RestartPreventExitStatus: [String(EXIT.usage)],
  });
});

test.each([
  ['feedferry-sync.timer', '*:0/15'],
  ['feedferry-backup.timer', '*-*-* 03:30:00'],
])('The timer %s starts the service of its name, and catches up on missed runs', (file, time) => {
  expect(readdirSync(folder)).toContain(file.replace('.timer', '.service'));
  const timer = readUnit(file);
  expect(timer).not.toHaveProperty('Unit');
  expect(timer).toMatchObject({ OnCalendar: [time], Persistent: ['yes'] });
});

test('The backup writes to a folder of the state directory, with the access of the other units', () => {
  const { ExecStart, StateDirectory, Environment, ...rest } = readUnit('feedferry-backup.service');
  const [program, ...args] = ExecStart?.[0]?.split(' ') ?? [];
  expect([program, args]).toEqual(['/usr/local/bin/feedferry', ['backup', '%S/feedferry/backups']]);
  expect(StateDirectory).toEqual(['feedferry feedferry/backups']);
  const sync = readUnit('feedferry-sync.service');
  expect(sync.Environment).toEqual(expect.arrayContaining(Environment ?? []));
  expect(sync).toMatchObject({ ...rest, Description: expect.anything() });
});

/** The settings of a unit file, each with all its values. */
function readUnit(file: string): Record<string, string[] | undefined> {
  const lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const settings = lines.flatMap((line) => {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
  const byName = Map.groupBy(settings, ({ name }) => name);
  return Object.fromEntries([...byName].map(([name, all]) => [name, all.map(({ value }) => value)]));
}
