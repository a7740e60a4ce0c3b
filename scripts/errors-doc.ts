// Writes docs/errors.md from the table in src/core/errors.ts. Run it after a change there: npm run docs:errors
import { writeFileSync } from 'node:fs';
import { errorTable } from '../src/core/errors.ts';

const rows = Object.entries(errorTable).map(
  ([code, { cause, remedy, exit }]) => `| \`${code}\` | ${cause} | ${remedy} | ${exit} |`,
);
const head = `# Errors

Every error that feedferry reports has a code. Messages name the place (file, line, record) and the value; the remedy is
printed below them. The exit code is the one of a command that the error ends; a record that is rejected, failed or held
makes a run *partial* instead, with exit code 3, and the others go on.

| code | cause | remedy | exit |
|---|---|---|---|
`;
writeFileSync('docs/errors.md', `${head}${rows.join('\n')}\n`);
