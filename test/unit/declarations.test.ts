import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepExportedTypes } from '../../scripts/bundle/exported-types.ts';

const root = join(import.meta.dirname, '../..');
const usesClient = `import { CmsError, createCmsClient, type EventInput } from './types/src/cms/client.js';
const cms = createCmsClient({ baseUrl: 'https://www.example.edu' });
const concert: EventInput<{ seats: number }> = {
  ...{ title: 'Concert', date: '2030-05-01', endDate: '2030-05-01', time: { type: 'timed' } }, seats: 80,
};
export const created = cms.events<{ seats: number }>().create(concert, { timeoutMs: 1_000 });
export const seats: Promise<number | null | undefined> = created.then((event) => event.seats);
export const isBusy = (error: unknown) => error instanceof CmsError && error.code === 'FF_CMS_RATE_LIMITED';
`;
const usesSandbox = `import { type Exchange, type Sandbox, startSandbox } from './types/src/sandbox/server.js';
const seen: Exchange[] = [];
const options = { now: () => 0, onExchange: (exchange: Exchange) => seen.push(exchange) };
export async function titles(): Promise<unknown[]> {
  await using sandbox: Sandbox = await startSandbox({ ...options, switches: { lastPage: 'error' } });
  sandbox.setFaults({ faults: [{ kind: 'error', route: '/calendar/events', times: 1 }] });
  return sandbox.journal({ status: '4xx' }).map(({ change }) => change?.after?.title);
}
// @ts-expect-error: there is no such fault
startSandbox({ faults: { faults: [{ kind: 'earthquake' }] } });
`;

// The types of a built package, made once, inside the repository, where zod is found.
mkdirSync(join(root, '.cache'), { recursive: true });
const dir = mkdtempSync(join(root, '.cache/types-'));
let imported: string[];

beforeAll(() => {
  tsc('-p', join(root, 'tsconfig.build.json'), '--outDir', join(dir, 'types'));
  imported = keepExportedTypes(join(dir, 'types'));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
});
afterAll(() => rmSync(dir, { recursive: true }));

test('The types import only the packages that npm installs with feedferry, and none are left that no export refers to', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(imported).toEqual(Object.keys(dependencies));
  const files = readdirSync(join(dir, 'types/src'), { recursive: true, encoding: 'utf8' });
  expect(files).toContain('sandbox/options.d.ts');
  expect(files).not.toContain('sandbox/api.d.ts');
});

test('The types of the client compile in a project that has neither the types of Node nor those of undici', () => {
  expect(compile(usesClient, { lib: ['es2023', 'dom', 'dom.iterable'], types: [] })).toBe('');
});

test('The types of the sandbox compile in a project that has only the types of Node', () => {
  expect(compile(usesSandbox, { lib: ['es2023', 'esnext.disposable'], types: ['node'] })).toBe('');
});

function compile(program: string, options: { lib: string[]; types: string[] }): string {
  writeFileSync(join(dir, 'program.ts'), program);
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2023', strict: true, skipLibCheck: false, noEmit: true },
    ...options,
  };
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return tsc('-p', dir);
}

function tsc(...args: string[]): string {
  return execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args], { encoding: 'utf8' });
}
