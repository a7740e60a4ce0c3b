import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { folderOf } from '../folder.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

/** Replaces Debian's apt-get: records its arguments, and installs empty programs. */
const APT_GET = `#!/bin/sh
echo "apt-get $*" >> "$(dirname "$0")/done"
for package; do
  case $package in redis-server|chromium) /bin/cp "$0" "$(dirname "$0")/$package";; esac
done
`;

describe('npm run test:setup', () => {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

  test.runIf(mayInstall)('says what it installs, installs it, and finds it then', async () => {
    const { bin, exitCode, stdout, stderr } = await setUp({});
    expect(stderr).toMatch(/^redis-server, chromium: needed by the tests, and not installed\./);
    expect(stderr).toContain('  apt-get update && apt-get install -y --no-install-recommends redis-server chromium\n');
    expect(stderr).toContain('TEST_NO_INSTALL=1');
    expect(readFileSync(join(bin, 'done'), 'utf8')).toBe(
      'apt-get -qq update\napt-get -qq install -y --no-install-recommends redis-server chromium\n',
    );
    expect(stdout).toBe(`Redis       ${bin}/redis-server\nPostgreSQL  DATABASE_URL\nChromium    ${bin}/chromium\n`);
    expect(exitCode).toBe(0);
  });

  test('installs nothing if it must not, and says what to install', async () => {
    const { bin, exitCode, stdout, stderr } = await setUp({ TEST_NO_INSTALL: '1' });
    expect(stderr).toBe('');
    expect(existsSync(join(bin, 'done'))).toBe(false);
    expect(stdout).toMatch(/^Redis {7}missing$/m);
    expect(stdout).toMatch(/sudo apt-get install --no-install-recommends redis-server( chromium)?\n/);
    expect(exitCode).toBe(1);
  });
});

/** Runs the script in an environment without programs, which only names a PostgreSQL. */
async function setUp(variables: Record<string, string>) {
  const bin = folderOf({ 'apt-get': APT_GET });
  chmodSync(join(bin, 'apt-get'), 0o755);
  symlinkSync('/usr/bin/dirname', join(bin, 'dirname'));
  const env = { PATH: bin, DATABASE_URL: 'postgresql://127.0.0.1/tests', ...variables };
  const run = promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], { env });
  const { stdout, stderr, code } = await run.then(
    (ended) => ({ ...ended, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  );
  return { bin, exitCode: code, stdout, stderr };
}
