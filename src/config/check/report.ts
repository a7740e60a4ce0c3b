import type { ConfigFile, Path } from '../files/config-file.ts';
import type { ConfigProblem } from '../files/problems.ts';
import { type Issue, pathName } from './validate.ts';

/** Everything that is wrong with one file, in the order of its lines. */
export function problemsOf(source: ConfigFile, issues: readonly Issue[]): ConfigProblem[] {
  const problems = [...source.problems];
  for (const issue of issues) {
    const { line, column } = source.positionOf(issue.path, issue.part);
    // A value that could not be filled in is wrong for every other reason, too.
    if (source.problems.some((problem) => problem.line === line && problem.column === column)) continue;
    problems.push({ file: source.file, line, column, code: 'FF_CONFIG_INVALID', message: wording(source, issue) });
  }
  return problems.sort((a, b) => a.line - b.line || a.column - b.column);
}

function wording(source: ConfigFile, { path, part, message }: Issue): string {
  const name = pathName(path);
  const subject = name === '' ? 'the file' : name;
  const value = part === 'value' ? source.sourceOf(path) : undefined;
  return value === undefined ? `${subject} ${message}` : `${subject} ${message}, not ${show(value, path)}`;
}

const secretName = /token|bearer|password|passwd|secret|authorization|cookie|api-?key/i;
const longest = 100;

/** The value as the file spells it, shortened, and without what may be a secret. */
function show(value: string, path: Path): string {
  if (path.some((segment) => secretName.test(String(segment)))) return 'what is there (not shown)';
  const withoutCredentials = value.replace(/\/\/[^/@\s]*@/g, '//***@');
  const shortened =
    withoutCredentials.length > longest ? `${withoutCredentials.slice(0, longest)}…` : withoutCredentials;
  return JSON.stringify(shortened);
}
