import type { SyncConfig, TargetConfig } from '../config/types.ts';
import { CodedError, toCodedError } from '../core/errors.ts';
import { missingFields } from '../mapping/field-usage.ts';
import { readSource } from './read-source.ts';

const SAMPLE = 1000;
const SHOWN = 30;

/** Why a local feed does not fit its sync: a `problem` stops every run, a `warning` may concern only the present records. */
export interface FeedMistake {
  is: 'problem' | 'warning';
  error: CodedError;
}

/**
 * Checks, by the first records of a local feed, that the feed has the fields that its sync names. Nothing is read from the
 * network or from standard input.
 * @returns undefined if the feed has the fields, has no records or is not local
 */
export async function checkLocalFeed(
  sync: SyncConfig,
  target: TargetConfig,
  signal: AbortSignal,
): Promise<FeedMistake | undefined> {
  const { url } = sync.source;
  if (/^(-$|(https?|webcals?):)/i.test(url)) return undefined;
  // Each file of a pattern may have other columns.
  const isPattern = /[*?[\]{}]/.test(url);
  const reading = readSource(sync, target, { signal, localOnly: true, fieldsOnly: true });
  try {
    let read = 0;
    let known = 0;
    for await (const _ of reading.records) {
      read += 1;
      const hasNew = reading.fields.size > known;
      known = reading.fields.size;
      if (read === SAMPLE || (hasNew && !isPattern && missingFields(sync, [...reading.fields]).length === 0)) break;
    }
  } catch (error) {
    if (signal.aborted) throw error;
    const coded = toCodedError(error);
    if (coded.code === 'FF_FEED_COLUMNS') return { is: 'problem', error: coded };
    // The next page may be on the network.
    if (reading.fields.size === 0) return { is: 'warning', error: coded };
  }
  const message = describeMissingFields(sync, reading.fields, url);
  if (message === undefined) return undefined;
  return { is: 'warning', error: new CodedError('FF_FEED_COLUMNS', message) };
}

/** Describes which fields of a sync file a feed does not have; undefined if the feed has all of them, or has no records. */
export function describeMissingFields(sync: SyncConfig, fields: ReadonlySet<string>, feed: string): string | undefined {
  const names = [...fields];
  const missing = names.length === 0 ? [] : missingFields(sync, names);
  if (missing.length === 0) return undefined;
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `No record of ${feed} has the field ${missing.join(' or ')}. Its fields are ${names.slice(0, SHOWN).join(', ')}${more}.`;
}
