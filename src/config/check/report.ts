import type { ConfigFile } from '../files/config-file.ts';
import { secretName } from '../files/excerpt.ts';
import type { ConfigProblem } from '../files/problems.ts';
import { type Issue, pathName, type Validated } from './validate.ts';

/** Checks the content of a file, if it could be read, and reports every mistake of the file, in the order of its lines. */
export function checkFile<T>(
  source: ConfigFile,
  check: (value: unknown) => Validated<T>,
  problems: ConfigProblem[],
): T | undefined {
  const { data, issues } = source.value === undefined ? { data: undefined, issues: [] } : check(source.value);
  const found = [...source.problems];
  for (const issue of issues) {
    const { line, column } = source.positionOf(issue.path, issue.part);
    // If the variable of a value is not set, other issues of the value are only consequences.
    if (source.problems.some((problem) => problem.line === line && problem.column === column)) continue;
    found.push({ file: source.file, line, column, code: 'FF_CONFIG_INVALID', message: wording(source, issue) });
  }
  problems.push(...found.sort((a, b) => a.line - b.line || a.column - b.column));
  return data;
}

function wording(source: ConfigFile, { path, part, message }: Issue): string {
  const subject = pathName(path) || 'the file';
  const value = part === 'value' ? source.sourceOf(path) : undefined;
  if (value === undefined) return `${subject} ${message}`;
  const [, variable] = /^\$\{(\w+)\}$/.exec(value) ?? [];
  if (variable && message === 'must not be empty') return `${subject} ${message}: the variable ${variable} is empty`;
  if (path.some((segment) => secretName.test(String(segment)))) return `${subject} ${message} (the value is not shown)`;
  const [fact, hint] = message.split(/(?=; (?:did you mean|write|remove) )/);
  return `${subject} ${fact}${message.startsWith('must') ? ', not' : ':'} ${show(value)}${hint ?? ''}`;
}

const longest = 100;

/** Returns the value as it is written in the file, shortened and without credentials. */
function show(value: string): string {
  const withoutCredentials = value.replace(/\/\/[^/@\s]*@/g, '//***@');
  const isLong = withoutCredentials.length > longest;
  return JSON.stringify(isLong ? `${withoutCredentials.slice(0, longest)}…` : withoutCredentials);
}
