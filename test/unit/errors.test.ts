import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorTable } from '../../src/core/errors.ts';

test('The page docs/errors.md lists exactly the errors, with cause, remedy and exit code', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
  const rows = docs.split('\n').filter((line) => line.startsWith('- `FF_'));
  const expected = Object.entries(errorTable).map(
    ([code, { cause, remedy, exit }]) => `- \`${code}\`${exit ? ` (exit code ${exit})` : ''}: ${cause} ${remedy}`,
  );
  expect(rows).toEqual(expected);
});
