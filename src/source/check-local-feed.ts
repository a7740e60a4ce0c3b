import type { SyncConfig, TargetConfig } from '../config/types.ts';
import { CodedError, toCodedError } from '../core/errors.ts';
import { missingFields } from '../mapping/field-usage.ts';
import { describeMissingFields } from './missing-fields.ts';
import { readSource } from './read-source.ts';

const SAMPLE = 1000;

/** Why a local feed does not fit its sync: a `problem` stops every run, a `warning` may concern only the present records. */
export interface FeedMistake {
  is: 'problem' | 'warning';
  error: CodedError;
}

/**
 * Checks, by the first records of the local feeds of a sync, that the feeds have the fields that the sync names. Nothing is
 * read from the network or from standard input.
 * @returns the mistakes; none if a feed has the fields, has no records or is not local
 */
export async function checkLocalFeeds(
  sync: SyncConfig,
  target: TargetConfig,
  signal: AbortSignal,
): Promise<FeedMistake[]> {
  const mistakes: FeedMistake[] = [];
  for (const one of sync.sources?.map((source) => source.sync) ?? [sync]) {
    const mistake = await checkLocalFeed(one, target, signal);
    if (mistake) mistakes.push(mistake);
  }
  return mistakes;
}

async function checkLocalFeed(
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
  const [message] = describeMissingFields(sync, reading.fields, url);
  if (message === undefined) return undefined;
  return { is: 'warning', error: new CodedError('FF_FEED_COLUMNS', message) };
}
