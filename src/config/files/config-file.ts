import { readFileSync } from 'node:fs';
import { messageOf } from '../../core/errors.ts';
import type { ConfigProblem } from './problems.ts';

/** A path into the data of a file, from its root. */
export type Path = readonly PropertyKey[];

/** A position in a file; lines and columns count from 1. */
export interface Position {
  line: number;
  column: number;
}

/** A config file that was read, with the positions of its keys and values. */
export interface ConfigFile {
  file: string;
  /**
   * Content of the file as plain data, with variables filled in; undefined if the file could not be read or parsed. Only
   * scripts contain functions.
   */
  value: unknown;
  problems: ConfigProblem[];
  /** Returns the position of the key or value at the path, or of its nearest parent. */
  positionOf(path: Path, part: 'key' | 'value'): Position;
  /** Returns the value at the path as written in the file, without the values of variables; undefined for collections. */
  sourceOf(path: Path): string | undefined;
  /** Hex SHA-256 of a script and its imports, so that it changes when a function changes. */
  scriptHash?: string;
}

/** Reads and parses a file. If it cannot be read, the result has the reason and no value. */
export function readConfigFile(file: string, parse: (text: string) => ConfigFile): ConfigFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return brokenFile(file, 'FF_CONFIG_MISSING', readingMistake(error));
  }
  return parse(text);
}

/** Returns a file that cannot be used, with the reason. */
export function brokenFile(file: string, code: ConfigProblem['code'], message: string, at?: Position): ConfigFile {
  const position = at ?? { line: 1, column: 1 };
  return {
    file,
    value: undefined,
    problems: [{ file, ...position, code, message }],
    positionOf: () => position,
    sourceOf: () => undefined,
  };
}

/** Describes an error of node:fs that occurred while a file was read. */
export function readingMistake(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' ? 'the file does not exist' : `the file cannot be read (${code ?? messageOf(error)})`;
}
