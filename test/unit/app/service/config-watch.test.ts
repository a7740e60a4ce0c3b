import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from '../../../../src/app/environment.ts';
import { watchConfig } from '../../../../src/app/service/config-watch.ts';
import type { Config } from '../../../../src/config/types.ts';
import { folder, target } from '../../config/setup.ts';

const sync = 'resource: events\nsource: { connector: csv, url: a.csv }\nkey: id\nmap: { title: a, date: b }\n';

test('Each new config is applied, an invalid one is reported once, and a failed one is tried again', async () => {
  const dir = folder({ 'feedferry.yaml': target, 'syncs/talks.yaml': sync });
  const logged: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line).msg) });
  const watch = await watchConfig(
    readEnvironment({ CMS_BASE_URL: 'http://127.0.0.1:9', CMS_API_TOKEN: 't' }, dir),
    log,
  );
  onTestFinished(() => watch.stop());
  expect(watch.config.syncs.map(({ name }) => name)).toEqual(['talks']);

  const taken: string[][] = [];
  let trouble: Error | undefined;
  watch.follow(async (config: Config) => {
    if (trouble) throw trouble;
    taken.push(config.syncs.map(({ name }) => name));
  });
  // By polling alone.
  writeFileSync(join(dir, 'syncs/walks.yaml'), sync);
  await expect.poll(() => taken).toEqual([['talks', 'walks']]);

  writeFileSync(join(dir, 'syncs/walks.yaml'), `${sync}colour: red\nwindow: 7\n`);
  await watch.readAgain();
  expect(logged).toEqual([
    expect.stringContaining('walks.yaml:5:1: colour is not a known key'),
    expect.stringContaining('walks.yaml:6:9: window must be'),
    'The file of the sync "walks" has mistakes. Its previous version stays in force.',
  ]);
  rmSync(join(dir, 'syncs/walks.yaml'));
  trouble = new Error('Redis is away');
  await watch.readAgain();
  expect(logged).toHaveLength(5);
  trouble = undefined;
  await expect.poll(() => taken).toEqual([['talks', 'walks'], ['talks', 'walks'], ['talks']]);
  expect(logged).toHaveLength(5);
});
