import { isObject } from '../../core/record.ts';
import { readsTimes, ruleWithFormat } from '../correct/apply-lines.ts';
import { type Corrections, chosenPaths, isDecided, isWritten, lineOf, sourceKeysOf } from '../correct/corrections.ts';
import type { Proposal } from '../proposal.ts';
import { propose } from '../propose/propose.ts';
import type { FeedSample } from '../sample.ts';
import { literal } from '../sync-file.ts';
import { changesBetween, type KeyChange } from './edit-yaml.ts';
import { asProposal, decidedLines, type WrittenSync } from './written-sync.ts';

type Values = Readonly<Record<string, unknown>>;

/** Keys of a sync file that a correction replaces as a whole. */
const wholeKeys = ['key', 'when', 'schedule', 'missing'];

/** A sync file with the corrections of a person: its lines, and the changes that make the file say so. */
export interface CorrectedFile {
  proposal: Proposal;
  changes: KeyChange[];
}

/**
 * Applies corrections to a sync file. If a person has only chosen fields, their rule is inferred from the sample, as for a new feed. What
 * nobody has corrected stays as the file says.
 * @param defaultKey the key that the format defines
 */
export function correctWritten(
  written: WrittenSync,
  sample: FeedSample,
  corrections: Corrections,
  defaultKey?: string,
): CorrectedFile {
  const { lines, answers } = corrections;
  const inferred = propose(sample, { answers, lines: { ...decidedLines(written, corrections), ...lines } });
  const correctedOf = <Value>(attributes: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(attributes).filter(([attribute]) => isGiven(attribute)));
  const map = { ...correctedOf(inferred.map), ...formatted(written.values.map, corrections) };
  const attachments = correctedOf(inferred.attachments);
  const values: Values = {
    ...written.values,
    ...sectionWith('map', map),
    ...sectionWith('attachments', attachments),
    ...Object.fromEntries(wholeKeys.filter((key) => key in lines).map((key) => [key, lines[key] ?? undefined])),
    ...('source' in written.values && { source: sourceWith(written.values.source, corrections) }),
  };
  const shown = asProposal({ ...written, values: { ...values, key: values.key ?? defaultKey } });
  const suggested = Object.entries(inferred.suggested).filter(([attribute]) => !(attribute in shown.map));
  return {
    proposal: {
      ...shown,
      map: { ...shown.map, ...map },
      attachments: { ...shown.attachments, ...attachments },
      suggested: Object.fromEntries(suggested),
      open: inferred.open.filter(
        ({ id, line }) => isDecided(corrections, line) && !(id in answers) && !isWritten(corrections, line),
      ),
      warnings: Object.keys(map).length > 0 ? inferred.warnings : [],
    },
    changes: placed(written, changesBetween({ ...emptySections(values), ...written.values }, values)),
  };

  /** Whether a person has chosen fields or written a rule for an attribute, and not only for another part of its line. */
  function isGiven(attribute: string): boolean {
    if (Object.hasOwn(lines, attribute) || Object.hasOwn(lines, `attachments.${attribute}`)) return true;
    return chosenPaths(corrections, lineOf(attribute)) !== undefined;
  }

  /** Whether the rule that the file has for an attribute goes. A rule for the days of a start leaves the times. */
  function isReplaced(attribute: string): boolean {
    if (Object.hasOwn(lines, attribute) || Object.hasOwn(lines, `attachments.${attribute}`)) return true;
    const rule = lines[lineOf(attribute)];
    return rule !== undefined && (!isObject(rule) || readsTimes(rule) || !attribute.startsWith('time.'));
  }

  function sectionWith(name: 'map' | 'attachments', corrected: Proposal['map'] | Proposal['attachments']): Values {
    const given = isObject(written.values[name]) ? written.values[name] : {};
    const kept = Object.entries(given).filter(([attribute]) => !isReplaced(attribute) && !(attribute in corrected));
    const added = Object.entries(corrected).map(([attribute, { value }]) => [
      attribute,
      isObject(given[attribute]) ? value : withoutBraces(value),
    ]);
    return name in written.values || added.length > 0 ? { [name]: Object.fromEntries([...kept, ...added]) } : {};
  }
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

/** Returns the rules of a file whose formats a person has set. */
function formatted(map: unknown, corrections: Corrections): Proposal['map'] {
  const rules = isObject(map) ? map : {};
  const formats = Object.entries(corrections.lines).flatMap(([name, format]) => {
    const line = name.replace(/\.format$/, '');
    // The format of a corrected line is in what was inferred.
    return line === name || isDecided(corrections, line) ? [] : [ruleWithFormat(rules, line, format)];
  });
  return Object.assign({}, ...formats);
}

/** Writes a rule that has only a field as the field. */
function withoutBraces(rule: unknown): unknown {
  return isObject(rule) && Object.keys(rule).join() === 'field' ? rule.field : rule;
}

/** Lists the changes of how the feed is read. */
export function sourceChanges(written: WrittenSync, corrections: Corrections): KeyChange[] {
  const { source } = written.values;
  return placed(written, changesBetween({ source }, { source: sourceWith(source, corrections) }));
}

/** Returns the rules of a sync file that read a field by another name, as corrections. */
export function renamedIn({ values }: WrittenSync, from: string, to: string): Corrections['lines'] {
  const renamed = (rule: unknown) => {
    if (rule === from) return { field: to };
    return isObject(rule) && rule.field === from ? { ...rule, field: to } : undefined;
  };
  const rules = Object.entries(isObject(values.map) ? values.map : {}).flatMap(([attribute, rule]) => {
    const now = renamed(rule);
    return now ? [[attribute, now] as const] : [];
  });
  const files = Object.entries(isObject(values.attachments) ? values.attachments : {}).flatMap(([attribute, field]) =>
    field === from ? [[`attachments.${attribute}`, to] as const] : [],
  );
  const key = isObject(values.key) ? renamed(values.key) : renamedKey(values.key, from, to);
  const when = isObject(values.when) ? renamed(values.when) : undefined;
  return { ...Object.fromEntries([...rules, ...files]), ...(key !== undefined && { key }), ...(when && { when }) };
}

function renamedKey(key: unknown, from: string, to: string): unknown {
  if (Array.isArray(key)) return key.includes(from) ? key.map((field) => (field === from ? to : field)) : undefined;
  return key === from ? to : undefined;
}

function sourceWith(source: unknown, corrections: Corrections): Values {
  const removed = Object.keys(corrections.lines).filter((line) => corrections.lines[line] === null);
  const kept = Object.entries(isObject(source) ? source : {}).filter(([name]) => !removed.includes(`source.${name}`));
  return { ...Object.fromEntries(kept), ...sourceKeysOf(corrections) };
}
