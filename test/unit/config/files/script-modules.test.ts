import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadScript } from '../../../../src/config/files/script-modules.ts';
import { folder } from '../setup.ts';

const script =
  "import { word } from './words.ts';\nimport 'feedferry';\nexport default { say: () => word as string };\n";

function said(file: string): string {
  return (loadScript(file).value as { say(): string }).say();
}

test('A script is loaded again only if it or one of its imports has changed', () => {
  const dir = folder({ 'a.ts': script, 'words.ts': "export const word: string = 'one';\n" });
  const [file, words] = [join(dir, 'a.ts'), join(dir, 'words.ts')];
  expect(said(file)).toBe('one');
  const first = loadScript(file);
  expect(loadScript(file)).toBe(first);

  writeFileSync(words, "export const word: string = 'two';\n");
  expect(said(file)).toBe('two');
  expect(loadScript(file).hash).not.toBe(first.hash);
  writeFileSync(file, script.replace('word as string', "word + '!'"));
  expect(said(file)).toBe('two!');

  writeFileSync(words, 'export const word = ;\n');
  expect(() => said(file)).toThrow(SyntaxError);
  rmSync(words);
  expect(() => said(file)).toThrow('Cannot find module');
  writeFileSync(words, "export const word: string = 'one';\n");
  writeFileSync(file, script);
  expect(said(file)).toBe('one');
  expect(loadScript(file).hash).toBe(first.hash);
});
