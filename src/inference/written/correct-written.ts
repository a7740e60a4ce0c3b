import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../core/record.ts';
import { applyLines } from '../correct/apply-lines.ts';
import {
  type Corrections,
  chosenPaths,
  isAttributeLine,
  isDecided,
  isWritten,
  sourceKeysOf,
} from '../correct/corrections.ts';
import type { Guess, Proposal } from '../proposal.ts';
import { propose } from '../propose/propose.ts';
import type { FeedSample } from '../sample.ts';
import { literal } from '../sync-file.ts';
import { changesBetween, type KeyChange } from './edit-yaml.ts';
import { type WrittenSync, wholeKeys, writtenLines } from './written-sync.ts';

type Values = Readonly<Record<string, unknown>>;

/** A sync file with the corrections of a person: its lines, and the changes that make the file say so. */
export interface CorrectedFile {
  proposal: Proposal;
  changes: KeyChange[];
}

/**
 * Applies corrections to a sync file: what it says counts as said by a person, so that only the rules of corrected lines are inferred
 * from the sample, as for a new feed.
 */
export function correctWritten(written: WrittenSync, sample: FeedSample, corrections: Corrections): CorrectedFile {
  const { lines, answers } = corrections;
  const { values } = written;
  const file = writtenLines(written);
  const kept = Object.entries(file).filter(([line]) => !isDecided(corrections, line.replace(/^attachments\./, '')));
  const isMeant = (line: string) =>
    [line, `attachments.${line}`].some((one) => one in file || isDecided(corrections, one));
  const only = <Value>(all: Readonly<Record<string, Value>>, prefix = '') =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isMeant(prefix + name)));
  // A format is that of a line of the file, which inference may see in another one.
  const given = Object.entries(lines).filter(([line]) => !line.endsWith('.format'));
  const inferred = propose(sample, { answers, lines: Object.fromEntries([...kept, ...given]) });
  const corrected = applyLines({ ...inferred, map: only(inOrder(values.map, inferred.map)) }, corrections);
  const map = asWritten('map', corrected.map);
  const attachments = asWritten('attachments', only(inferred.attachments));
  const proposal: Proposal = {
    ...{ ...corrected, map, attachments, source: only(inferred.source, 'source.') },
    // What a new sync would have is not in the file.
    ...Object.fromEntries(
      wholeKeys.filter((name) => name !== 'key' && !isMeant(name)).map((name) => [name, undefined]),
    ),
    open: inferred.open.filter(
      ({ id, line }) => isDecided(corrections, line) && !(id in answers) && !isWritten(corrections, line),
    ),
    warnings: Object.keys(lines).some((line) => chosenPaths(corrections, line) !== undefined) ? inferred.warnings : [],
  };
  const after = {
    ...values,
    ...section('map', map),
    ...section('attachments', attachments),
    ...Object.fromEntries(wholeKeys.filter((key) => key in lines).map((key) => [key, lines[key] ?? undefined])),
    ...('source' in values && { source: sourceAfter(written, corrections) }),
  };
  return { proposal, changes: placed(written, changesBetween({ ...emptySections(after), ...values }, after)) };

  /** Writes a rule that has only a field as the field, unless the file has braces there. */
  function asWritten<Value>(name: 'map' | 'attachments', attributes: Readonly<Record<string, Guess<Value>>>) {
    const given = isObject(values[name]) ? values[name] : {};
    const entries = Object.entries(attributes).map(([attribute, guess]) => {
      const { value } = guess;
      const isField = isObject(value) && Object.keys(value).join() === 'field' && !isObject(given[attribute]);
      return [attribute, isField ? { ...guess, value: value.field } : guess] as const;
    });
    return Object.fromEntries(entries) as Record<string, Guess<Value>>;
  }

  function section(name: 'map' | 'attachments', attributes: Readonly<Record<string, Guess<unknown>>>): Values {
    const entries = Object.entries(attributes).map(([attribute, { value }]) => [attribute, value]);
    return name in values || entries.length > 0 ? { [name]: Object.fromEntries(entries) } : {};
  }
}

/** Returns the rules of attributes in the order of the file. */
function inOrder<Value>(map: unknown, rules: Readonly<Record<string, Value>>): Record<string, Value> {
  const first = Object.keys(isObject(map) ? map : {}).flatMap((name) => {
    const rule = rules[name];
    return rule === undefined ? [] : [[name, rule] as const];
  });
  return { ...Object.fromEntries(first), ...rules };
}

/** Attributes are added to a new section one by one, each in a line of its own. */
function emptySections(values: Values): Values {
  return Object.fromEntries(['map', 'attachments'].filter((name) => name in values).map((name) => [name, {}]));
}

/** Returns changes at their places in the file. Texts that a person or a feed has given are literal. */
function placed({ placeOf }: WrittenSync, changes: readonly KeyChange[]): KeyChange[] {
  return changes.map(({ path: [key = '', ...rest], value }) => ({
    path: [...placeOf(key), ...rest],
    value: literal(value),
  }));
}

/** Lists the changes of how the feed is read. */
export function sourceChanges(written: WrittenSync, corrections: Corrections): KeyChange[] {
  const source = sourceAfter(written, corrections);
  return placed(written, changesBetween({ source: written.values.source }, { source }));
}

function sourceAfter({ values }: WrittenSync, corrections: Corrections): Values {
  const kept = Object.entries(isObject(values.source) ? values.source : {});
  const left = kept.filter(([name]) => corrections.lines[`source.${name}`] !== null);
  return { ...Object.fromEntries(left), ...sourceKeysOf(corrections) };
}

/** Returns the lines of a sync file that read a field by another name, as corrections. */
export function renamedIn(written: WrittenSync, from: string, to: string): Corrections['lines'] {
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed);
    return isObject(value) && value.field === from ? { ...value, field: to } : value === from ? to : value;
  };
  const lines = Object.entries(writtenLines(written)).filter(
    ([line]) => isAttributeLine(line) || /^(attachments\..*|key|when)$/.test(line),
  );
  const changed = lines.map(([line, value]) => [line, value, renamed(value)] as const);
  return Object.fromEntries(
    changed.flatMap(([line, value, now]) => (isDeepStrictEqual(value, now) ? [] : [[line, now]])),
  );
}
