import type { ConfigProblem } from './problems.ts';
import { type Issue, pathName } from './validate.ts';
import type { Path, YamlFile } from './yaml-file.ts';

/** Everything that is wrong with one file, in the order of its lines. */
export function problemsOf(yaml: YamlFile, issues: readonly Issue[]): ConfigProblem[] {
  const problems = [...yaml.problems];
  for (const issue of issues) {
    const { line, column } = yaml.positionOf(issue.path, issue.part);
    // A value that could not be filled in is wrong for every other reason, too.
    if (yaml.problems.some((problem) => problem.line === line && problem.column === column)) continue;
    problems.push({ file: yaml.file, line, column, code: 'FF_CONFIG_INVALID', message: wording(yaml, issue) });
  }
  return problems.sort((a, b) => a.line - b.line || a.column - b.column);
}

function wording(yaml: YamlFile, { path, part, message }: Issue): string {
  const name = pathName(path);
  const subject = name === '' ? 'the file' : name;
  const value = part === 'value' ? yaml.sourceOf(path) : undefined;
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
