import type { SyncConfig } from '../../config/types.ts';
import { unprovenReason } from '../../core/completeness.ts';
import type { Mapped } from '../../core/record.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import { collectDates } from '../../mapping/field-usage.ts';
import { type Judged, keysOf, withoutDuplicates } from './duplicate-keys.ts';

/** The records of a feed as a run would judge them, as far as the feed shows it. */
export type Preview = Awaited<ReturnType<typeof previewRecords>>;

/** How the records of a preview are shown. */
export interface Shown {
  /** Selects the records to show; the others only count. */
  selects(mapped: Mapped, index: number): boolean;
  format(mapped: Mapped): string;
}

/**
 * Reads a feed to its end and judges its records as a run would, without ledger and CMS.
 * @returns `shown`: the records to show, in feed order; `doubt`: why no record would count as missing, although the sync
 * removes missing ones; `dateRules`: the rules to write for dates that were rejected, with the formats that fit them
 * @throws CodedError FF_FEED_… if it cannot be read
 */
export async function previewRecords(reading: SourceReading, sync: SyncConfig, { selects, format }: Shown) {
  const { missing, source } = sync;
  const dates = collectDates(sync);
  const all: Mapped[] = [];
  const shown = new Map<Mapped, { is: Mapped['is']; text: string }>();
  let warnings = 0;
  for await (const mapped of reading.records) {
    const kept = withoutContent(mapped);
    if (selects(mapped, all.length)) shown.set(kept, { is: mapped.is, text: format(mapped) });
    if (mapped.is === 'desired') warnings += mapped.warnings.length;
    if (mapped.is === 'rejected' && mapped.rejection.code === 'FF_RECORD_DATE')
      dates.add(mapped.rejection.fields ?? {});
    all.push(kept);
  }
  const { unique, rejected } = withoutDuplicates(all, []);
  const accepted = new Set<Judged>(unique);
  const rejections = rejected.values();
  for (const mapped of all) {
    // Both lists have the order of the feed.
    const rejection = accepted.has(mapped) ? undefined : rejections.next().value;
    if (!rejection || !shown.has(mapped)) continue;
    shown.set(mapped, { is: 'rejected', text: format({ is: 'rejected', rejection }) });
  }
  const receipt = reading.receipt();
  const counts = {
    read: all.length,
    valid: unique.filter(({ is }) => is === 'desired').length,
    rejected: rejected.length,
    duplicates: rejected.filter(({ code }) => code === 'FF_RECORD_DUPLICATE').length,
    skipped: unique.filter(({ is }) => is === 'skipped').length,
    warnings: warnings + reading.warnings.length,
  };
  const unnamed = rejected.filter(({ key }) => key === undefined).length;
  const removes = missing.policy !== 'keep' && !source.partial;
  const doubt = removes ? unprovenReason({ ...counts, unnamed, receipt }, source.ignoreSigns) : undefined;
  return { shown: [...shown.values()], counts, receipt, doubt, dateRules: dates.rules(), keys: () => keysOf(all) };
}

const NO_CONTENT = { payload: {}, attachments: [] };
const NO_WARNINGS: [] = [];

/** Leaves out what is not needed to find duplicates: a feed may be larger than the memory. */
function withoutContent(mapped: Mapped): Mapped {
  if (mapped.is === 'rejected') return { ...mapped, rejection: { ...mapped.rejection, fields: undefined } };
  if (mapped.is === 'skipped') return { ...mapped, fields: undefined };
  const { at, key, resource } = mapped.record;
  return { is: 'desired', record: { at, key, resource, ...NO_CONTENT }, warnings: NO_WARNINGS };
}
