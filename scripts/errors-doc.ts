// Writes docs/errors.md from the table in src/core/errors.ts. Run it after a change there: npm run dev -- docs:errors
import { writeFileSync } from 'node:fs';
import { errorTable } from '../src/core/errors.ts';

const rows = Object.entries(errorTable).map(
  ([code, { cause, remedy, exit }]) => `| \`${code}\` | ${cause} | ${remedy} | ${exit ?? 1} |`,
);
const head = `# Errors

Every error that feedferry reports has a code. Messages name the place (file, line, record) and the value; the remedy is
printed below them. The last column is the [exit code](commands.md#exit-codes) of a command that the error ends. An error of
a single record does not end the command.

| code | cause | remedy | exit |
|---|---|---|---|
`;
writeFileSync('docs/errors.md', `${head}${rows.join('\n')}\n`);
