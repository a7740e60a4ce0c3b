import { isObject } from '../../core/record.ts';
import type { Issue } from './validate.ts';

/** Checks whether `sources` goes together with the other keys of its sync file. */
export function checkSources({ resource, source, sources }: Record<string, unknown>): Issue[] {
  const report = (path: string, message: string): Issue => ({ path: [path], part: 'key', message });
  const both = source === undefined ? [] : [report('source', 'cannot be combined with sources: move it into them')];
  const other = resource === 'accounts' ? [report('sources', 'is only allowed for events')] : [];
  return [...both, ...other, ...checkShape(sources)];
}

function checkShape(sources: unknown): Issue[] {
  const report = (message: string): Issue[] => [{ path: ['sources'], part: 'value', message }];
  if (!isObject(sources)) return report('must be a mapping of names to sources');
  const names = Object.keys(sources);
  if (names.length === 0) return report('must name at least one source');
  const inputs = Object.values(sources).filter((source) => isObject(source) && source.url === '-');
  return inputs.length > 1 ? report('must not read standard input more than once') : [];
}

/** Checks the name of a source. JavaScript orders keys that are numbers by their size, so they would lose their rank. */
export function checkSourceName(name: string): Issue[] {
  const report = (message: string): Issue[] => [{ path: ['sources', name], part: 'key', message }];
  if (!/^[\w.-]{1,100}$/.test(name)) {
    return report('must have a name of letters, digits, "-", "_" and ".", at most 100 characters');
  }
  return /^\d+$/.test(name) ? report('must have a name with a letter: sources named by numbers have no order') : [];
}
