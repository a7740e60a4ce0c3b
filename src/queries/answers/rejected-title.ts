import type { SyncConfig } from '../../config/types.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { KeptRejection } from '../../ledger/runs/rejections.ts';
import { connectorOf } from '../../source/connector-of.ts';

/** Attributes whose values are known from the fields of the feed, unless the map changes them. */
const NAMES = ['title', 'displayName', 'firstName', 'lastName', 'username', 'email'];

type Titled = KeptRejection & { title: string };

/**
 * Adds the titles of their records to rejections: by the fields of the feed, because a rejected record has no attributes, else as
 * the ledger has them.
 * @param sync absent: it no longer has a file
 */
export async function withTitles(
  rejections: readonly KeptRejection[],
  name: string,
  sync: SyncConfig | undefined,
  { records }: Pick<Ledger, 'records'>,
): Promise<Titled[]> {
  const keys = rejections.flatMap(({ key }) => key ?? []);
  const known = keys.length === 0 ? new Map<string, string>() : await records.titles(name, keys);
  return rejections.map((rejection) => {
    const { fields = {}, key = '' } = rejection;
    return { ...rejection, title: titleOf(fields, sync && mapperOf(rejection, sync)) || (known.get(key) ?? '') };
  });
}

/** Returns the sync as if the source of a record were its only one. */
function mapperOf({ at }: KeptRejection, sync: SyncConfig): SyncConfig {
  return sync.sources?.find(({ name }) => at.startsWith(`${name}, `))?.sync ?? sync;
}

function titleOf(fields: NonNullable<KeptRejection['fields']>, sync: SyncConfig | undefined): string {
  const { defaultMap = {} } = sync ? connectorOf(sync) : {};
  const values = new Map(Object.entries(fields));
  const named = NAMES.map((name) => [name, values.get(sync?.map?.[name]?.field ?? defaultMap[name] ?? name)]);
  return recordTitle(Object.fromEntries(named), sync?.resource ?? 'events');
}
