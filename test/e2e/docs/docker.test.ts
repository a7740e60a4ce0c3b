import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startTestCms } from '../../support/cms/start-cms.ts';
import { temporaryDir } from '../../support/engines.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/docker.md'), 'utf8');
/** The blocks up to the first start, which is played as one run, because the container stays. */
const script = [...page.matchAll(/^```sh\n(.*?)^```$/gms)]
  .slice(0, 3)
  .map(([, code]) => code)
  .join('')
  .replace(/ up --detach$/m, ' run --rm feedferry sync');
const FEED = 'id,title,date,start\n1,Organ recital,2035-03-14,18:30\n';

test('The commands of docs/docker.md import the feed of the reader, and nothing else', async () => {
  await using sandbox = await startTestCms({ memory: true, timezone: 'Europe/Berlin' });
  using dir = temporaryDir();
  const checkout = join(dir.path, 'checkout');
  for (const name of ['config', 'docker-compose.single.yml'])
    cpSync(join(root, name), join(checkout, name), { recursive: true });
  mkdirSync(join(checkout, 'config/feeds'));
  writeFileSync(join(checkout, 'config/feeds/events.csv'), FEED);
  const own = script
    .replace('https://www.example.edu', sandbox.url)
    .replace('America/New_York', 'Europe/Berlin')
    .replace('https://calendar.example.edu/events.ics', 'config/feeds/events.csv');

  const { stdout } = await promisify(execFile)('sh', ['-euc', own], {
    cwd: checkout,
    env: {
      PATH: [folderWithDocker(dir.path), process.env.PATH].join(delimiter),
      TOKEN: sandbox.token,
      VOLUMES: join(dir.path, 'volumes'),
    },
  });
  expect(stdout).toContain('campus: 1 read, 1 to create');
  expect(stdout).toMatch(/^campus +success /m);
  const written = sandbox.journal().filter(({ change }) => change);
  expect(written.map(({ change }) => change?.after)).toMatchObject([{ title: 'Organ recital', date: '2035-03-14' }]);
});

/** Writes the stand-in for `docker` into a folder for PATH. */
function folderWithDocker(dir: string): string {
  const folder = join(dir, 'bin');
  mkdirSync(folder);
  const program = `exec "${process.execPath}" --disable-warning=ExperimentalWarning "${join(import.meta.dirname, 'docker-stand-in.ts')}" "$@"`;
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  return folder;
}
