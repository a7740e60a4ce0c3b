import type { SyncConfig } from '../../config/types.ts';
import { unprovenReason } from '../../core/completeness.ts';
import type { Mapped } from '../../core/record.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import { keysOf, withoutDuplicates } from './duplicate-keys.ts';

/** The records of a feed as a run would judge them, as far as the feed shows it. */
export type Preview = Awaited<ReturnType<typeof previewRecords>>;

/**
 * Reads a feed to its end and judges its records as a run would, without ledger and CMS.
 * @param isShown selects the records to return; the others only count
 * @returns `doubt`: why no record would count as missing, although the sync removes missing ones
 * @throws CodedError FF_FEED_… if it cannot be read
 */
export async function previewRecords(
  reading: SourceReading,
  { missing, source }: SyncConfig,
  isShown: (mapped: Mapped, index: number) => boolean,
) {
  const all: Mapped[] = [];
  const shown = new Set<Mapped>();
  let warnings = 0;
  for await (const mapped of reading.records) {
    const isWhole = isShown(mapped, all.length);
    const kept = withoutContent(mapped, isWhole);
    if (isWhole) shown.add(kept);
    if (mapped.is === 'desired') warnings += mapped.warnings.length;
    all.push(kept);
  }
  const { unique, rejected } = withoutDuplicates(all, []);
  const accepted = new Set<Mapped>(unique);
  const rejections = rejected.values();
  const records = all.flatMap((mapped): Mapped[] => {
    // Both lists have the order of the feed.
    const rejection = accepted.has(mapped) ? undefined : rejections.next().value;
    if (!shown.has(mapped)) return [];
    return [rejection ? { is: 'rejected', rejection } : mapped];
  });
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
  return { records, counts, receipt, doubt, keys: () => keysOf(all) };
}

/** Leaves out what is not shown: a feed may be larger than the memory. */
function withoutContent(mapped: Mapped, isShown: boolean): Mapped {
  if (mapped.is === 'rejected') return { ...mapped, rejection: { ...mapped.rejection, fields: undefined } };
  if (mapped.is === 'skipped') return { ...mapped, fields: undefined };
  const { record, warnings } = mapped;
  if (isShown) return { is: 'desired', record, warnings };
  const { at, key, resource } = record;
  return { is: 'desired', record: { at, key, resource, payload: {}, attachments: [], hash: '' }, warnings: [] };
}
