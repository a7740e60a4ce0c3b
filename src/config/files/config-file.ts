import type { ConfigProblem } from './problems.ts';

/** A path into the data of a file, from its root. */
export type Path = readonly PropertyKey[];

/** A place in a file; lines and columns count from 1. */
export interface Position {
  line: number;
  column: number;
}

/** A config file that was read, with the place of everything in it. */
export interface ConfigFile {
  file: string;
  /** Whether it could be read and parsed, so that `value` can be judged. */
  usable: boolean;
  /** Its content as plain data, variables filled in. Functions only come from scripts. */
  value: unknown;
  problems: ConfigProblem[];
  /** Where the key (or else the value) at the path stands; where there is none, its nearest parent. */
  positionOf(path: Path, part: 'key' | 'value'): Position;
  /** The value at the path as the file spells it, so that a filled in secret never shows; undefined for collections. */
  sourceOf(path: Path): string | undefined;
  /** Hex SHA-256 of a script and what it imports: what its functions do is told by nothing else. */
  scriptHash?: string;
}

/** A file of which nothing can be used, and why. */
export function unusable(file: string, code: ConfigProblem['code'], message: string, at?: Position): ConfigFile {
  const position = at ?? { line: 1, column: 1 };
  return {
    file,
    usable: false,
    value: undefined,
    problems: [{ file, ...position, code, message }],
    positionOf: () => position,
    sourceOf: () => undefined,
  };
}

/** Why a file cannot be read, from the error of node:fs. */
export function readingMistake(error: unknown): string {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return `the file cannot be read (${reason})`;
}
