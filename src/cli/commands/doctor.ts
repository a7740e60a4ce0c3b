import type { Command } from 'commander';
import type { Finding } from '../../doctor/findings/finding.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';
import { colour, plain, print, printJson } from '../output/tables.ts';

const SIGNS = {
  ok: () => colour('green', '✓'),
  warning: () => colour('yellow', '!'),
  problem: () => colour('red', '✗'),
} as const satisfies Record<Finding['is'], () => string>;

export function doctorCommand(): Command {
  const description = 'check config, ledger, Redis, feeds, CMS, clocks and zones; it only reads';
  return defineCommand('doctor', description).action(execute(doctor));
}

async function doctor({ environment, log, json, signal }: CommandContext): Promise<number> {
  // Loaded only where it is used: no other command looks at all of this.
  const { examine } = await import('../../doctor/examine.ts');
  const findings: Finding[] = [];
  for await (const finding of examine({ environment, log, signal })) {
    // Looking takes a while: each finding is shown at once.
    if (!json) show(finding, findings.at(-1));
    findings.push(finding);
  }
  const problems = findings.filter(({ is }) => is === 'problem');
  if (json) printJson({ findings, ok: problems.length === 0 });
  else print(process.stdout, `\n${summary(findings)}`);
  if (problems.some(({ check }) => check === 'config')) return EXIT.usage;
  return problems.length > 0 ? EXIT.failed : EXIT.success;
}

function show(finding: Finding, before: Finding | undefined): void {
  const { is, message, code, follows, remedy } = finding;
  const group = groupOf(finding);
  if (!before || groupOf(before) !== group) print(process.stdout, `${before ? '\n' : ''}${colour('bold', group)}`);
  print(process.stdout, `  ${SIGNS[is]()} ${code ? `${code} ` : ''}${plain(message)}`);
  if (follows) print(process.stdout, `    ${plain(follows)}`);
  if (remedy) print(process.stdout, `    → ${plain(remedy)}`);
}

function groupOf({ check }: Finding): string {
  return check.split('.', 1)[0] ?? check;
}

function summary(findings: readonly Finding[]): string {
  const count = (is: Finding['is']) => findings.filter((finding) => finding.is === is).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  if (problems + warnings === 0) return colour('green', `All is well: ${findings.length} findings.`);
  return colour(problems > 0 ? 'red' : 'yellow', `Problems: ${problems}, warnings: ${warnings}, well: ${count('ok')}.`);
}
