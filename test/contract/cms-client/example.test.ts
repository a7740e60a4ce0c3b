import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { temporaryDir } from '../../support/engines.ts';
import { callerOf, events, onePixelPng } from '../sandbox/harness.ts';

const root = join(import.meta.dirname, '../../..');

/** The first example of the client's documentation, importing the client from its source. */
function example(): string {
  const code = /```ts\n(.*?)```/s.exec(readFileSync(join(root, 'docs/cms-client.md'), 'utf8'))?.[1] ?? '';
  const client = new URL('../../../src/cms/client.ts', import.meta.url).href;
  expect(code).toContain(`from 'feedferry/cms'`);
  return code.replace(`'feedferry/cms'`, `'${client}'`);
}

test('The example of the documentation runs unchanged', async () => {
  const sandbox = await startSandbox({ memory: true });
  onTestFinished(() => sandbox.close());
  const dir = temporaryDir();
  onTestFinished(() => dir[Symbol.dispose]());
  writeFileSync(join(dir.path, 'poster.png'), onePixelPng);
  writeFileSync(join(dir.path, 'example.ts'), example());

  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'example.ts'], {
    cwd: dir.path,
    env: { ...process.env, CMS_BASE_URL: sandbox.url, CMS_API_TOKEN: sandbox.token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [event] = (await callerOf(sandbox).call('GET', events)).body.data;
  expect(event).toMatchObject({
    title: 'Spring concert: sold out',
    image: { src: expect.stringMatching(/^\/uploads/) },
  });
  expect(stdout).toBe(`${event.id} ${event.title}\n`);
});

test('The package exports the client under the name of the example', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(exports['./cms']).toBe('./dist/src/cms/client.js');
});
