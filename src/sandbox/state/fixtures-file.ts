import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { CodedError, messageOf } from '../../core/errors.ts';
import { FixtureProblems, shownProblem } from './fixtures.ts';

/** The content of a fixtures file, and the line at which each part begins. */
interface FixturesFile {
  value: unknown;
  lineOf(path: PropertyKey[]): number;
}

/** Reads fixtures from YAML or JSON (a part of YAML). @throws CodedError FF_SANDBOX_FIXTURES with the file and line */
export function readFixturesFile(file: string): FixturesFile {
  const lineCounter = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter, prettyErrors: false });
  const lineAt = (offset: number) => lineCounter.linePos(offset).line;
  const [problem] = document.errors;
  if (problem) throw fixturesError(`${file}:${lineAt(problem.pos[0])}: ${problem.message}`);

  const lineOf = (path: PropertyKey[]): number => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true);
    if (isNode(node) && node.range) return lineAt(node.range[0]);
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  return { value: document.toJS(), lineOf };
}

/** Returns problems of fixtures as one error, with lines if the fixtures are from a file. */
export function toFixturesError(error: unknown, file?: string, lineOf?: FixturesFile['lineOf']): unknown {
  if (!(error instanceof FixtureProblems)) return error;
  const lines = error.problems.map((problem) => {
    const place = file === undefined ? 'Sandbox fixtures' : `${file}:${lineOf?.(problem.path)}`;
    return `${place}: ${shownProblem(problem)}`;
  });
  return fixturesError(lines.join('\n'));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw fixturesError(`The fixtures file ${file} cannot be read: ${messageOf(error)}`);
  }
}

function fixturesError(message: string): CodedError {
  return new CodedError('FF_SANDBOX_FIXTURES', message);
}
