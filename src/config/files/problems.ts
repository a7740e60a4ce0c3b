import { CodedError, type ErrorCode } from '../../core/errors.ts';

/** One mistake in one config file. `line` and `column` count from 1. */
export interface ConfigProblem {
  file: string;
  line: number;
  column: number;
  code: ErrorCode;
  message: string;
  /** The line, with a caret below the column. */
  excerpt?: string;
}

/** Codes in order of gravity: a file that is missing or not valid YAML causes other mistakes. */
const gravity: ErrorCode[] = [
  'FF_CONFIG_MISSING',
  'FF_CONFIG_EXAMPLES',
  'FF_CONFIG_YAML',
  'FF_CONFIG_INVALID',
  'FF_CONFIG_ENV',
];

/** All mistakes of all config files, one per line: `file:line:column: message`. The error has the code of the gravest mistake. */
export class ConfigError extends CodedError {
  override name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const gravest = gravity.find((code) => problems.some((problem) => problem.code === code));
    super(gravest ?? 'FF_CONFIG_INVALID', problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }
}

/** Describes a mistake: `file:line:column: message`. */
export function describeProblem({ file, line, column, message, excerpt = '' }: ConfigProblem): string {
  return `${file}:${line}:${column}: ${message}${excerpt}`;
}
