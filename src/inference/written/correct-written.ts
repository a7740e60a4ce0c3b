import { isObject } from '../../core/record.ts';
import { applyLines } from '../correct/apply-lines.ts';
import { type Corrections, chosenPaths, isDecided, isWritten, lineOf } from '../correct/corrections.ts';
import type { Guess, Proposal } from '../proposal.ts';
import { propose } from '../propose/propose.ts';
import type { FeedSample } from '../sample.ts';
import { literal } from '../sync-file.ts';
import { changesBetween, type KeyChange } from './edit-yaml.ts';
import { asProposal, decidedLines, type WrittenSync } from './written-sync.ts';

type Values = Readonly<Record<string, unknown>>;

/** Keys of a sync file that a correction replaces as a whole. */
const wholeKeys = ['key', 'when', 'authority', 'schedule', 'missing'];

/** A sync file with the corrections of a person: its lines, and the changes that make the file say so. */
export interface CorrectedFile {
  proposal: Proposal;
  changes: KeyChange[];
}

/**
 * Applies corrections to a sync file as to a proposal. If a person has only chosen fields, their rule is inferred from the sample, as for
 * a new feed. What nobody has corrected stays as the file says.
 * @param defaultKey the key that the format defines
 */
export function correctWritten(
  written: WrittenSync,
  sample: FeedSample,
  corrections: Corrections,
  defaultKey?: string,
): CorrectedFile {
  const { lines, answers } = corrections;
  const { values } = written;
  const inferred = propose(sample, { answers, lines: { ...decidedLines(written, corrections), ...lines } });
  const base = asProposal(written);
  const corrected = applyLines(
    {
      ...base,
      key: { ...base.key, value: values.key === undefined && defaultKey !== undefined ? defaultKey : base.key.value },
      map: merged(base.map, inferred.map),
      attachments: merged(base.attachments, inferred.attachments),
    },
    corrections,
  );
  const { url: _, ...source } = corrected.source;
  const suggested = Object.entries(inferred.suggested).filter(([attribute]) => !(attribute in corrected.map));
  const after = {
    ...values,
    ...section('map', corrected.map),
    ...section('attachments', corrected.attachments),
    ...Object.fromEntries(wholeKeys.filter((key) => key in lines).map((key) => [key, lines[key] ?? undefined])),
    ...('source' in values && { source: sourceAfter(written, corrected) }),
  };
  return {
    proposal: {
      ...corrected,
      source,
      suggested: Object.fromEntries(suggested),
      open: inferred.open.filter(
        ({ id, line }) => isDecided(corrections, line) && !(id in answers) && !isWritten(corrections, line),
      ),
      warnings: Object.keys(lines).some((line) => isInferred(line)) ? inferred.warnings : [],
    },
    changes: placed(written, changesBetween({ ...emptySections(after), ...values }, after)),
  };

  /** Whether the rule of an attribute is inferred, because a person has chosen its fields. */
  function isInferred(attribute: string): boolean {
    return [attribute, lineOf(attribute)].some((line) => chosenPaths(corrections, line) !== undefined);
  }

  function merged<Value>(given: Readonly<Record<string, Value>>, found: Readonly<Record<string, Value>>) {
    const kept = Object.entries(given).filter(([name]) => !isInferred(name) && !(`attachments.${name}` in lines));
    return Object.fromEntries([...kept, ...Object.entries(found).filter(([name]) => isInferred(name))]);
  }

  function section(name: 'map' | 'attachments', attributes: Readonly<Record<string, Guess<unknown>>>): Values {
    const given = isObject(values[name]) ? values[name] : {};
    const entries = Object.entries(attributes).map(([attribute, { value }]) => [
      attribute,
      isObject(given[attribute]) ? value : withoutBraces(value),
    ]);
    return name in values || entries.length > 0 ? { [name]: Object.fromEntries(entries) } : {};
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

/** Writes a rule that has only a field as the field. */
function withoutBraces(rule: unknown): unknown {
  return isObject(rule) && Object.keys(rule).join() === 'field' ? rule.field : rule;
}

/** Lists the changes of how the feed is read. */
export function sourceChanges(written: WrittenSync, corrections: Corrections): KeyChange[] {
  const source = sourceAfter(written, applyLines(asProposal(written), corrections));
  return placed(written, changesBetween({ source: written.values.source }, { source }));
}

function sourceAfter({ values }: WrittenSync, { source }: Proposal): Values {
  const url = isObject(values.source) ? { url: values.source.url } : {};
  return { ...url, ...Object.fromEntries(Object.entries(source).map(([name, { value }]) => [name, value])) };
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
