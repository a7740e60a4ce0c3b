import { isMap, parseDocument } from 'yaml';
import { isObject, type Resource } from '../../core/record.ts';
import { type Corrections, isDecided } from '../correct/corrections.ts';
import type { Guess, Proposal, ProposedRule } from '../proposal.ts';

type Values = Readonly<Record<string, unknown>>;

/** The data of a sync file as they are written, with variables and without defaults. */
export interface WrittenSync {
  text: string;
  /** The keys of the file; with several sources, those of one of them as if it were the only one. */
  values: Values;
  /** Returns where the file has a key of these values: `['sources', 'museum', 'map']`. */
  placeOf(key: string): readonly string[];
  /** The comment at a key of the file. */
  commentAt(path: readonly string[]): string;
}

/**
 * Reads the data of a sync file.
 * @param text the file, which must be valid
 * @param source the source whose lines are meant, if the sync has several, and the keys that a source may have for itself
 */
export function writtenSync(text: string, source?: { name: string; ownKeys: readonly string[] }): WrittenSync {
  const document = parseDocument(text, { prettyErrors: false });
  const file = document.toJS({ maxAliasCount: 100 }) as Values;
  const commentAt = (path: readonly string[]) => {
    const map = document.getIn(path.slice(0, -1), true);
    const pair = isMap(map) ? map.items.find(({ key }) => String(key) === path.at(-1)) : undefined;
    const notes = [pair?.key, pair?.value].map((node) => (node as { comment?: string } | null)?.comment ?? '');
    return notes.join(' ').trim();
  };
  const { sources, ...shared } = file;
  const given = source && isObject(sources) ? sources[source.name] : undefined;
  if (source === undefined || !isObject(given)) return { text, values: file, placeOf: (key) => [key], commentAt };
  const entries = Object.entries(given);
  const own = Object.fromEntries(entries.filter(([key]) => source.ownKeys.includes(key)));
  const feed = Object.fromEntries(entries.filter(([key]) => !source.ownKeys.includes(key)));
  const place = ['sources', source.name];
  return {
    text,
    values: { ...shared, ...own, source: feed },
    placeOf(key) {
      if (key === 'source') return place;
      // A new key of the source is its own.
      return key in own || (!(key in shared) && source.ownKeys.includes(key)) ? [...place, key] : [key];
    },
    commentAt,
  };
}

/** Returns the lines of a sync file as a proposal, with the comments of the file as evidence. */
export function asProposal({ values, placeOf, commentAt }: WrittenSync): Proposal {
  const guess = <Value>(value: unknown, ...path: string[]): Guess<Value> => ({
    value: value as Value,
    evidence: commentAt([...placeOf(path[0] ?? ''), ...path.slice(1)]) || 'as the file says',
    hasVariables: true,
  });
  const section = <Value>(name: string): Record<string, Guess<Value>> => {
    const entries = Object.entries(isObject(values[name]) ? values[name] : {});
    return Object.fromEntries(entries.map(([key, value]) => [key, guess<Value>(value, name, key)]));
  };
  const object = (name: 'when' | 'authority' | 'schedule' | 'missing') =>
    isObject(values[name]) && { [name]: guess<Values>(values[name], name) };
  const { url: _, ...source } = section<unknown>('source');
  return {
    resource: guess<Resource>(values.resource, 'resource'),
    source,
    key: guess<string | readonly string[]>(values.key ?? [], 'key'),
    map: section<ProposedRule>('map'),
    attachments: section<string>('attachments'),
    ...object('when'),
    ...object('schedule'),
    ...object('authority'),
    ...object('missing'),
    suggested: {},
    open: [],
    warnings: [],
  };
}

/** Returns what the file says as corrections, so that inference leaves it as it is, except for what a person has corrected. */
export function decidedLines({ values }: WrittenSync, corrections: Corrections): Corrections['lines'] {
  const { resource, key } = values;
  const rules = Object.entries(isObject(values.map) ? values.map : {})
    .filter(([attribute]) => !isDecided(corrections, attribute))
    .map(([attribute, rule]) => [attribute, isObject(rule) ? rule : { field: rule }]);
  const files = Object.entries(isObject(values.attachments) ? values.attachments : {})
    .filter(([attribute]) => !isDecided(corrections, attribute))
    .map(([attribute, field]) => [`attachments.${attribute}`, field]);
  return { resource, ...(key !== undefined && { key }), ...Object.fromEntries([...rules, ...files]) };
}
