import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDir } from '../../support/engines.ts';
import { callerOf, events, onePixelPng, openSandbox } from '../sandbox/harness.ts';

const root = join(import.meta.dirname, '../../..');
const END = 'END OF A PROGRAM';

/** The programs of the client's documentation, importing the client from its source. */
function programs(): string[] {
  const client = new URL('../../../src/cms/client.ts', import.meta.url).href;
  const page = readFileSync(join(root, 'docs/cms-client.md'), 'utf8');
  return [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => {
    expect(code).toContain(`from 'feedferry/cms'`);
    return code.replace(`'feedferry/cms'`, `'${client}'`);
  });
}

test('The programs of the documentation run unchanged, one after the other', async () => {
  const sandbox = await openSandbox({ memory: true });
  onTestFinished(() => sandbox.close());
  const dir = temporaryDir();
  onTestFinished(() => dir[Symbol.dispose]());
  writeFileSync(join(dir.path, 'poster.png'), onePixelPng);
  const files = programs().map((program, nth) => {
    writeFileSync(join(dir.path, `${nth}.ts`), program);
    return `await import('./${nth}.ts'); console.log('${END}');`;
  });
  writeFileSync(join(dir.path, 'all.ts'), files.join('\n'));
  // One process for all of them, because each would load the client again.
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'all.ts'], {
    cwd: dir.path,
    env: { ...process.env, CMS_BASE_URL: sandbox.url, CMS_API_TOKEN: sandbox.token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const outputs = stdout.split(`${END}\n`).slice(0, -1);

  const { data } = (await callerOf(sandbox).call('GET', events)).body;
  const [concert] = data;
  expect(concert).toMatchObject({
    title: 'Spring concert: sold out',
    image: { src: expect.stringMatching(/^\/uploads/) },
  });
  expect(outputs).toEqual([`${concert.id} ${concert.title}\n`]);
});

test('The package exports the client under the name of the example', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(exports['./cms']).toBe('./dist/src/cms/client.js');
});
