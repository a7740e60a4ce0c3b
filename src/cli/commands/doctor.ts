import type { Finding } from '../../doctor/findings/finding.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { colour, plain, print, printJson } from '../output/print.ts';

const SIGNS = {
  ok: () => colour('green', '✓'),
  warning: () => colour('yellow', '!'),
  problem: () => colour('red', '✗'),
} as const satisfies Record<Finding['is'], () => string>;

export const doctorCommand = defineCommand('doctor').action(execute(doctor));

async function doctor({ environment, openLog, json, signal }: CommandContext): Promise<number> {
  // The checks are loaded here because no other command needs them.
  const { examine } = await import('../../doctor/examine.ts');
  const findings: Finding[] = [];
  for await (const finding of examine({ environment, log: await openLog(), signal })) {
    // The checks take a while: print each finding at once.
    if (!json) printFinding(finding, findings.at(-1));
    findings.push(finding);
  }
  const problems = findings.filter(({ is }) => is === 'problem');
  if (json) printJson({ findings, ok: problems.length === 0 });
  else print(`\n${summary(findings)}`);
  if (problems.some(({ check }) => check === 'config')) return EXIT.usage;
  return problems.length > 0 ? EXIT.failed : EXIT.success;
}

function printFinding(finding: Finding, before: Finding | undefined): void {
  const { is, message, code, follows, remedy } = finding;
  const group = groupOf(finding);
  if (!before || groupOf(before) !== group) print(`${before ? '\n' : ''}${colour('bold', group)}`);
  print(`  ${SIGNS[is]()} ${code ? `${code} ` : ''}${plain(message)}`);
  if (follows) print(`    ${plain(follows)}`);
  if (remedy) print(`    → ${plain(remedy)}`);
}

function groupOf({ check }: Finding): string {
  return check.split('.', 1)[0] ?? check;
}

function summary(findings: readonly Finding[]): string {
  const count = (is: Finding['is']) => findings.filter((finding) => finding.is === is).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  if (problems + warnings === 0) return colour('green', `No problems found. Findings: ${findings.length}.`);
  return colour(problems > 0 ? 'red' : 'yellow', `Problems: ${problems}, warnings: ${warnings}, OK: ${count('ok')}.`);
}
