import { cpSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startTestCms } from '../../support/cms/start-cms.ts';
import { temporaryDir } from '../../support/engines.ts';
import { runHere } from '../run-here.ts';

const root = join(import.meta.dirname, '../../..');
const examples = join(root, 'examples');

describe('The examples are refused by every site but one on this machine', () => {
  const site = { CMS_BASE_URL: 'https://www.example.edu', CMS_API_TOKEN: 'token-of-a-site' };
  const refusal =
    /^FF_CONFIG_EXAMPLES examples.feedferry\.yaml:3:12: these syncs are examples .* https:\/\/www\.example\.edu$/m;

  test.each(['sync', 'sync museum-events', 'plan staff', 'validate', 'status', 'start', 'backfill campus-calendar'])(
    'by feedferry %s',
    async (command) => {
      const { exitCode, stderr } = await runHere([...command.split(' '), '--config', 'examples'], site, root);
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringMatching(refusal) });
      expect(stderr).toContain('feedferry init FEED');
    },
  );

  test('however their folder is named, also if it is a copy', async () => {
    using dir = temporaryDir();
    cpSync(examples, join(dir.path, 'config'), { recursive: true });
    for (const [folder, cwd] of [
      [examples, root],
      [`${relative(join(root, 'docs'), examples)}/.`, join(root, 'docs')],
      ['', dir.path],
    ] as const) {
      const { exitCode, stderr } = await runHere(['sync'], { ...site, FEEDFERRY_CONFIG: folder }, cwd);
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('FF_CONFIG_EXAMPLES') });
    }
  });

  test.each(['http://localhost:8080', 'http://127.0.0.2', 'http://[::1]:8080', 'https://cms.localhost'])(
    '%s is this machine',
    async (address) => {
      const variables = { ...site, CMS_BASE_URL: address };
      expect(await runHere(['validate', '--config', examples], variables)).toMatchObject({ exitCode: 0 });
    },
  );

  test.each(['https://localhost.example.edu', 'https://127.0.0.1.example.edu', 'https://10.0.0.1', 'https://[::2]'])(
    '%s is another machine',
    async (address) => {
      const variables = { ...site, CMS_BASE_URL: address };
      expect(await runHere(['validate', '--config', examples], variables)).toMatchObject({ exitCode: 2 });
    },
  );
});

test('In the checkout, `feedferry sync` delivers nothing, because the config folder has no sync', async () => {
  await using sandbox = await startTestCms({ memory: true });
  const site = { CMS_BASE_URL: sandbox.url, CMS_API_TOKEN: sandbox.token, CMS_TIMEZONE: 'Europe/Berlin' };
  using dir = temporaryDir();
  const { exitCode, stderr } = await runHere(['sync'], { ...site, FEEDFERRY_DATA: dir.path }, root);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('`feedferry init FEED`') });
  expect(sandbox.journal()).toEqual([]);
});
