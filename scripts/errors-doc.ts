// Writes docs/errors.md from the table in src/core/errors.ts. Run it after a change there: npm run dev -- docs:errors
import { writeFileSync } from 'node:fs';
import { errorTable } from '../src/core/errors.ts';

const rows = Object.entries(errorTable).map(
  ([code, { cause, remedy, exit }]) => `- \`${code}\`${exit ? ` (exit code ${exit})` : ''}: ${cause} ${remedy}`,
);
const head = `# Errors

Every error that feedferry reports has a code. Messages name the place (file, line, record) and the value; the remedy is
printed below them. A command that an error ends has the [exit code](commands.md#exit-codes) 1, unless the list names another. An
error of a single record does not end the command.

`;
writeFileSync('docs/errors.md', `${head}${rows.join('\n')}\n`);
