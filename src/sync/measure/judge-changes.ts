import type { SyncConfig } from '../../config/types.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { type Json, toText } from '../../core/record.ts';
import type { ChangeRule, LimitShare } from '../../core/run.ts';
import { isEventTime, readableText } from '../../core/text/readable-value.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import { type ChangeLimit, exceeds, limitFor, limitsOf, percentageOf } from './change-limits.ts';
import type { ShownMeasure } from './measure-changes.ts';
import type { Manner } from './uniform.ts';

/** A limit of `changes` that a plan exceeds. */
export interface Excess {
  code: ErrorCode;
  /** What happened, without its consequence. */
  reason: string;
  heldFor: ReadonlyArray<StagedRow['op']>;
}

type JudgedSync = Pick<SyncConfig, 'name' | 'resource' | 'changes'>;

/** Longest part of a value that a message shows, in characters. */
const SHOWN = 60;

const ORDER: ReadonlyArray<ChangeRule | 'uniform'> = ['churn', 'garbled', 'uniform', 'emptied', 'threshold', 'core'];

/** Returns the limits that a plan exceeds, the most telling first. */
export function exceededLimits(measures: readonly ShownMeasure[], sync: JudgedSync): Excess[] {
  const limits = limitsOf(sync);
  const exceeded = measures.filter((each) => exceeds(each, limitFor(each, limits)));
  const inOrder = ORDER.flatMap((rule) => exceeded.filter((each) => (each.uniform ? 'uniform' : each.rule) === rule));
  return inOrder.flatMap((measure): Excess | [] => {
    const limit = limitFor(measure, limits);
    if (!limit || exceeded.some((other) => explains(other, measure))) return [];
    const reason = `${subjectOf(measure, sync)} (${percent(measure)}), more than the limit of ${limit.percent} %${detailOf(measure, sync)}.`;
    const isChurn = measure.rule === 'churn';
    return {
      code: isChurn ? 'FF_GUARD_CHURN' : 'FF_GUARD_CHANGES',
      reason,
      heldFor: isChurn ? ['create', 'delete', 'mark'] : ['update'],
    };
  });
}

/** How near a plan came to each limit of changes, without values. */
export function changeShares(measures: readonly ShownMeasure[], sync: JudgedSync): LimitShare[] {
  const limits = limitsOf(sync);
  return measures.flatMap((measure): LimitShare[] => {
    const { rule, records, of, uniform } = measure;
    if (records === 0 || !limitFor(measure, limits)) return [];
    return [{ rule, records, of, ...(uniform && { isUniform: true }), text: subjectOf(measure, sync) }];
  });
}

/** Whether a measure is part of another one that tells more. */
function explains(one: ShownMeasure, other: ShownMeasure): boolean {
  // Most changes of most records include their titles and days.
  if (one.rule === 'threshold' && other.rule === 'core' && !other.uniform) return true;
  if (!one.uniform || other.uniform || one.records < other.records) return false;
  return other.rule === 'emptied' ? one.attribute === other.attribute : ['threshold', 'core'].includes(other.rule);
}

function subjectOf(measure: ShownMeasure, { name, resource }: JudgedSync): string {
  const { rule, records, of, attribute, fresh, uniform } = measure;
  const count = `${records} of the ${of}`;
  switch (uniform?.manner) {
    case 'moved':
      return `${count} ${uniform.group} in the feed of "${name}" have moved`;
    case 'exchanged':
      return `Day and month are exchanged in ${count} published events of "${name}" whose day could be a month`;
    case 'same':
      return `${count} published records of "${name}" that have "${attribute}" have the same one now`;
    case 'added':
      return `${count} published records of "${name}" have changed alike: a text was added to "${attribute}"`;
  }
  const published = `of the ${of} published records in the feed of "${name}"`;
  switch (rule) {
    case 'churn':
      return `${fresh} records in the feed of "${name}" are new, while ${records} of the ${of} published ones are missing`;
    case 'garbled':
      return `${records} of the ${of} published records of "${name}" with letters outside ASCII have wrong letters now`;
    case 'emptied':
      return `"${attribute}" is emptied in ${records} of the ${of} published records of "${name}" that have it`;
    case 'core':
      return `${resource === 'events' ? 'Title, day or time' : 'E-mail address or user name'} of ${records} ${published} have changed`;
    case 'threshold':
      return `${records} ${published} have changed`;
  }
}

/** The share of the records, as text. */
export function percent(measure: Pick<LimitShare, 'records' | 'of'>): string {
  const share = percentageOf(measure);
  return `${share < 100 ? Math.min(99, Math.round(share)) : 100} %`;
}

/** Why uniform changes look like a mistake. */
const MISTAKES: Record<Manner, string> = {
  moved: '',
  exchanged: ', as by another format of dates',
  same: ', as by a placeholder',
  added: ', as in a copy',
  emptied: '',
};

function detailOf({ uniform, shift, example, recent }: ShownMeasure, { resource }: JudgedSync): string {
  const earlier = recent === undefined ? '' : `; ${recent} of them were changed by runs of the last 24 hours`;
  const zones = shift !== undefined && /hour|minute/.test(shift) ? ', as by a mistake with a time zone' : '';
  const all = uniform ? 'all' : 'all days and times have moved';
  const amount = shift === undefined ? '' : `; ${all} by the same amount: ${shift}${zones}`;
  const moved = amount + (uniform ? MISTAKES[uniform.manner] : '');
  if (!example) return earlier + moved;
  const { key, attribute, from, to } = example;
  // Messages leave this machine by mail; what is in accounts is personal.
  const values = resource === 'accounts' ? '' : ` ${shown(from)} → ${shown(to)}`;
  return `${earlier}${moved}. For example "${key}": ${attribute}${values}`;
}

function shown(value: Json): string {
  const text = isEventTime(value) ? readableText(value) : toText(value);
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text);
}

/** Returns the limit on changes of any attribute, if these exceed it. */
export function exceededBy(
  measure: { records: number; of: number },
  sync: Pick<SyncConfig, 'changes'>,
): ChangeLimit | undefined {
  const { threshold } = limitsOf(sync);
  return exceeds(measure, threshold) ? threshold : undefined;
}
