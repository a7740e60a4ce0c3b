import type { SyncConfig } from '../../config/types.ts';
import { unprovenReason } from '../../core/completeness.ts';
import type { Mapped } from '../../core/record.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import { collectDates } from '../../mapping/field-usage.ts';
import { type Judged, keysOf } from './duplicate-keys.ts';
import { judgeReading } from './judge-reading.ts';

/** The records of a feed as a run would judge them, as far as the feed alone allows. */
export type Preview = Awaited<ReturnType<typeof previewRecords>>;

/** How the records of a preview are shown. */
export interface Shown {
  /** Selects the records to show; the others are only counted. */
  selects(mapped: Mapped, index: number): boolean;
  format(mapped: Mapped): string;
}

/**
 * Reads a feed to its end and judges its records as a run would, without ledger and CMS.
 * @returns `shown`: the records to show, in feed order; `doubt`: why no record would count as missing, although the sync
 * removes missing records; `dateRules`: rules with the formats that fit the rejected dates
 * @throws CodedError FF_FEED_… if it cannot be read
 */
export async function previewRecords(reading: SourceReading, sync: SyncConfig, { selects, format }: Shown) {
  const { missing, source } = sync;
  // Of several sources, each has dates of its own.
  const dates = collectDates(sync.sources ? { ...sync, map: {} } : sync);
  const selected = new Map<Judged, { is: Mapped['is']; text: string }>();
  const shown: Array<{ is: Mapped['is']; text: string }> = [];
  let index = 0;
  const { all, unique, rejected, tally } = await judgeReading(reading, (mapped, kept) => {
    if (selects(mapped, index)) selected.set(kept, { is: mapped.is, text: format(mapped) });
    if (mapped.is === 'rejected' && mapped.rejection.code === 'FF_RECORD_DATE')
      dates.add(mapped.rejection.fields ?? {});
    index += 1;
    return true;
  });
  const accepted = new Set<Judged>(unique);
  const rejections = rejected.values();
  for (const judged of all) {
    // Both lists are in feed order.
    const rejection = accepted.has(judged) ? undefined : rejections.next().value;
    const record = selected.get(judged);
    if (record) shown.push(rejection ? { is: 'rejected', text: format({ is: 'rejected', rejection }) } : record);
  }
  const receipt = reading.receipt();
  const removes = missing.policy !== 'keep' && !source.partial;
  const duplicates = tally.duplicates + tally.repeated;
  const doubt = removes ? unprovenReason({ ...tally, duplicates, receipt }, source.ignoreSigns) : undefined;
  return {
    shown,
    counts: tally,
    receipt,
    doubt,
    dateRules: dates.rules(),
    keys: () => keysOf(all),
  };
}
