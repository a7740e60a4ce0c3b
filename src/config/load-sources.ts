import { isObject } from '../core/record.ts';
import { checkMerge } from './check/merge.ts';
import { checkRules } from './check/rules.ts';
import { type Issue, type Validated, validate } from './check/validate.ts';
import type { Path } from './files/config-file.ts';
import { isRemote, type LoadContext, loadOne, type SyncOrigin, withoutFunction } from './load-one.ts';
import { ownKeys } from './schema/sync-schema.ts';
import type { NamedSource, SyncConfig } from './types.ts';

type Values = Record<string, unknown>;

/** Checks the content of a sync file with several sources: each of them as if it were the only one. */
export function loadSources(value: Values, origin: SyncOrigin, context: LoadContext): Validated<SyncConfig> {
  const { sources, source: _, merge, ...shared } = value;
  // The sync needs no key of its own: each source has one.
  const { plain } = withoutFunction({ ...shared, merge, key: shared.key ?? 'id' });
  const whole = validate(context.schemas.sync, plain);
  const issues = [...checkSources(value), ...whole.issues];
  if (!isObject(sources)) return { data: undefined, issues };
  const loaded: NamedSource[] = [];
  for (const [name, given] of Object.entries(sources)) {
    const one = loadNamed(name, given, { shared, sources }, origin, context);
    issues.push(...one.issues);
    if (one.data) loaded.push(one.data);
  }
  issues.push(...checkMerge(value, context.target?.externalId));
  const syncs = loaded.map(({ sync }) => sync);
  if (whole.data && issues.length === 0) issues.push(...checkRules(whole.data.rules, syncs, value.rules, context));
  const [first] = loaded;
  if (issues.length > 0 || !whole.data || !first) return { data: undefined, issues: withoutRepeated(issues) };
  const attachments = Object.assign({}, ...loaded.map(({ sync }) => sync.attachments).toReversed());
  const { renamedFrom, window, missing, rules, owner, merge: rule } = whole.data;
  return {
    data: {
      ...first.sync,
      attachments,
      renamedFrom,
      window,
      missing,
      rules,
      owner,
      sources: loaded,
      merge: rule ?? { fill: {} },
    },
    issues: [],
  };
}

/** The keys of a sync that its sources share, and its sources, as written in the file. */
interface Written {
  shared: Values;
  sources: Values;
}

function loadNamed(
  name: string,
  given: unknown,
  { shared, sources }: Written,
  origin: SyncOrigin,
  context: LoadContext,
): Validated<NamedSource> {
  if (!isObject(given)) {
    const message = 'must be a mapping with the keys of source';
    return { data: undefined, issues: [{ path: ['sources', name], part: 'value', message }] };
  }
  // Rules are for the event, whichever sources its values come from.
  const { renamedFrom, attachmentsDir, rules, owner, ...common } = shared;
  const hasFolder = attachmentsDir !== undefined && (!isRemote(given) || Object.values(sources).every(isRemote));
  const own = pick(given, (key) => ownKeys.includes(key));
  const misplaced = Object.keys(given).filter((key) => isShared(key, context));
  const source = pick(given, (key) => !Object.hasOwn(own, key) && !misplaced.includes(key));
  const one = loadOne({ ...common, ...(hasFolder && { attachmentsDir }), ...own, source }, origin, context);
  const issues = [
    ...checkSourceName(name),
    ...misplaced.map((key): Issue => ({ path: ['sources', name, key], part: 'key', message: sharedMessage })),
    ...one.issues.map((issue) => ({ ...issue, path: placeOf(issue.path) })),
  ];
  if (String(given.partial) === 'true') {
    const message = 'is not supported with several sources';
    issues.push({ path: ['sources', name, 'partial'], part: 'key', message });
  }
  if (issues.length > 0 || !one.data) return { data: undefined, issues };
  const { renamedFrom: formerly, ...sync } = one.data;
  const key = { ...sync.key, prefix: `${name}/` };
  return { data: { name, renamedFrom: formerly, sync: { ...sync, key } }, issues: [] };

  /** Returns the place in the file of a mistake in the sync with only this source. */
  function placeOf(path: Path): Path {
    const [key = '', ...rest] = path;
    if (key === 'source') return ['sources', name, ...rest];
    return Object.hasOwn(own, key) || (ownKeys.includes(String(key)) && !Object.hasOwn(shared, key))
      ? ['sources', name, ...path]
      : path;
  }
}

const sharedMessage = 'is shared by all sources of the sync; write it beside "sources"';

/** Whether a key of a sync file cannot be set for each source. */
function isShared(key: string, { schemas }: LoadContext): boolean {
  return Object.hasOwn(schemas.sync.in.shape, key) && !ownKeys.includes(key);
}

function pick(values: Values, isPicked: (key: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([key]) => isPicked(key)));
}

/** A mistake in a key that the sources share is found once for each of them. */
function withoutRepeated(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()];
}

/** Checks whether `sources` goes together with the other keys of its sync file. */
function checkSources({ resource, source, sources, recurrence }: Record<string, unknown>): Issue[] {
  const report = (path: string, message: string): Issue => ({ path: [path], part: 'key', message });
  const both = source === undefined ? [] : [report('source', 'cannot be combined with sources: move it into them')];
  const other = resource === 'accounts' ? [report('sources', 'is only allowed for events')] : [];
  const days = recurrence === undefined ? [] : [report('recurrence', 'is not supported with several sources')];
  return [...both, ...other, ...days, ...checkShape(sources)];
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
function checkSourceName(name: string): Issue[] {
  const report = (message: string): Issue[] => [{ path: ['sources', name], part: 'key', message }];
  if (!/^[\w.-]{1,100}$/.test(name)) {
    return report('must have a name of letters, digits, "-", "_" and ".", at most 100 characters');
  }
  return /^\d+$/.test(name) ? report('must have a name with a letter: sources named by numbers have no order') : [];
}
