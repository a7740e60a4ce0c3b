import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorTable } from '../../src/core/errors.ts';

test('docs/errors.md lists every error with its cause, remedy and exit code, and no other', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
  const rows = docs.split('\n').filter((line) => line.startsWith('| `FF_'));
  const expected = Object.entries(errorTable).map(
    ([code, { cause, remedy, exit }]) => `| \`${code}\` | ${cause} | ${remedy} | ${exit ?? 1} |`,
  );
  expect(rows).toEqual(expected);
});
