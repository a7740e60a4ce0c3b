import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestCms, type TestCms } from '../../support/cms/start-cms.ts';
import { folderOf } from '../../support/folder.ts';
import { runHere } from '../run-here.ts';
import { baseFiles, type Mistake, mistakes } from './mistakes.ts';

/** Serves a status for a path that is one. */
const server = createServer(({ url = '' }, response) => response.writeHead(Number(url.slice(1)) || 404).end('no'));
let sandbox: TestCms;
let host = '';

beforeAll(async () => {
  sandbox = await startTestCms({ memory: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await sandbox.close();
});

describe('Every mistake of a newcomer is answered with what to write', () => {
  test.for(mistakes)('$mistake', async ({ files = {}, args = ['validate'], env = {}, says }) => {
    const output = await answerTo(files, args, env);
    for (const text of says) expect(output).toContain(text);
  });
});

/** Runs the command line in this process, and returns what it prints, without colours. */
async function answerTo(
  files: NonNullable<Mistake['files']>,
  args: string[],
  env: Record<string, string>,
): Promise<string> {
  const inConfig = Object.entries({ ...baseFiles, ...files }).map(([name, content]) => [`config/${name}`, content]);
  const dir = join(folderOf(fillIn(Object.fromEntries(inConfig))), 'config');
  const variables = {
    CMS_BASE_URL: sandbox.url,
    CMS_API_TOKEN: sandbox.token,
    FEEDFERRY_CONFIG: dir,
    FEEDFERRY_DATA: join(dir, 'data'),
    LOG_LEVEL: 'silent',
    NO_COLOR: '1',
    ...fillIn(env),
  };
  const { stdout, stderr } = await runHere(
    args.map((arg) => (arg === 'DIR' ? dir : arg)),
    variables,
  );
  return (stdout + stderr).replaceAll(`${dir}/`, '').replaceAll(host, 'HOST');
}

/** Replaces HOST in texts. */
function fillIn<Content extends string | Uint8Array>(texts: Record<string, Content>): Record<string, Content | string> {
  const fill = (text: Content) => (typeof text === 'string' ? text.replaceAll('HOST', host) : text);
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));
}
