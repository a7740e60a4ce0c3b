import type { TargetConfig } from '../../config/types.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ReadingState } from '../../ledger/members/readings.ts';
import { readSources } from '../../source/read-sources.ts';
import type { ConfiguredSync } from '../answers/configured-sync.ts';
import type { SourceView } from '../views/overview.ts';

/**
 * Returns the sources of a sync that has several, best first, with their last readings; then those that are no longer in its file,
 * and whose records the ledger still has. Empty for a sync with one source.
 */
export async function sourcesOf(
  { name, sources }: ConfiguredSync,
  { target, ledger }: { target: TargetConfig; ledger: Pick<Ledger, 'readings'> },
): Promise<SourceView[]> {
  if (!sources) return [];
  const readings = await ledger.readings.readings(name);
  const { signal } = new AbortController();
  const present = sources.map(({ name: source, sync }): SourceView => {
    const { connector } = sync.source;
    const { location } = readSources(sync, target, { signal }).receipt();
    return { source, connector, location, ...readingOf(readings.get(source)) };
  });
  const names = new Set(present.map(({ source }) => source));
  const former = [...readings].filter(([source, { records }]) => !names.has(source) && records > 0);
  return [
    ...present,
    ...former.map(([source, reading]) => ({ source, isFormer: true as const, ...readingOf(reading) })),
  ];
}

function readingOf(reading: ReadingState | undefined): Omit<SourceView, 'source'> {
  if (!reading) return {};
  const { readAt, records, rejected, receipt, error } = reading;
  const { complete, reason } = receipt;
  return { readAt, records, rejected, complete, reason: complete ? undefined : reason, error };
}
