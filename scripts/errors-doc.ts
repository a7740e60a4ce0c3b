// Writes docs/errors.md from the table in src/core/errors.ts. Run it after a change there: npm run docs:errors
import { writeFileSync } from 'node:fs';
import { errorTable } from '../src/core/errors.ts';

const rows = Object.entries(errorTable).map(
  ([code, { cause, remedy, exit }]) => `| \`${code}\` | ${cause} | ${remedy} | ${exit ?? 1} |`,
);
const head = `# Errors

Every error that feedferry reports has a code. The message names the place (file, line, record) and the value; the remedy
follows it. The exit code applies when the error ends a command. A record that is rejected, failed or held does not end the
run: the other records continue, the run is *partial*, and the exit code is 3.

| code | cause | remedy | exit |
|---|---|---|---|
`;
writeFileSync('docs/errors.md', `${head}${rows.join('\n')}\n`);
