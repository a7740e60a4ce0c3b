import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const program = `import { CmsError, createCmsClient, type EventInput } from './types/src/cms/client.js';
const cms = createCmsClient({ baseUrl: 'https://www.example.edu' });
const concert: EventInput<{ seats: number }> = {
  ...{ title: 'Concert', date: '2030-05-01', endDate: '2030-05-01', time: {} }, seats: 80,
};
export const created = cms.events<{ seats: number }>().create(concert, { timeoutMs: 1_000 });
export const seats: Promise<number | null | undefined> = created.then((event) => event.seats);
export const isBusy = (error: unknown) => error instanceof CmsError && error.code === 'FF_CMS_RATE_LIMITED';
`;

test('The types of the client compile in a project that has neither the types of Node nor those of undici', () => {
  // Inside the repository, where zod is found.
  mkdirSync(join(root, '.cache'), { recursive: true });
  const dir = mkdtempSync(join(root, '.cache/types-'));
  const tsc = (...args: string[]) =>
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...args], { encoding: 'utf8' });
  try {
    tsc('-p', join(root, 'tsconfig.build.json'), '--outDir', join(dir, 'types'));
    writeFileSync(join(dir, 'program.ts'), program);
    writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
      ...{ strict: true, skipLibCheck: false, noEmit: true },
    };
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    expect(tsc('-p', dir)).toBe('');
  } finally {
    rmSync(dir, { recursive: true });
  }
});
