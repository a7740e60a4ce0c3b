import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import type { Payload } from '../../core/record.ts';
import { type FormerNames, formerSyncs } from './former-syncs.ts';

/** The external id of a record, readable in the CMS. */
export function externalIdOf({ sync, key }: { sync: string; key: string }): string {
  return `${sync}:${key}`;
}

/** The external ids that the item of a record may have: also those that former syncs gave it, each in its own keys. */
export function externalIdsOf({ sync, key }: { sync: string; key: string }, names: FormerNames): string[] {
  const former = formerSyncs(names).flatMap(({ name, prefix }) =>
    key.startsWith(prefix) ? [externalIdOf({ sync: name, key: key.slice(prefix.length) })] : [],
  );
  return [externalIdOf({ sync, key }), ...former];
}

/** The external id that an item has, if the attribute for it is configured and the CMS shows it. */
export function externalIdOn(
  item: Readonly<Record<string, unknown>>,
  externalId: string | undefined,
): string | undefined {
  const value = externalId === undefined ? undefined : item[externalId];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether the CMS may have made this of an external id by cutting it. */
export function isCutOf(shown: string, id: string): boolean {
  return shown.length < id.length && id.toLowerCase().startsWith(shown.toLowerCase());
}

/** The key of the record of a sync that an item carries, under the sync's present or a former name. It is the present key. */
export function keyOn(
  item: Readonly<Record<string, unknown>>,
  names: Pick<SyncConfig, 'name'> & FormerNames,
  externalId: string | undefined,
): string | undefined {
  const [, sync = '', key] = /^([^:]*):(.*)$/s.exec(externalIdOn(item, externalId) ?? '') ?? [];
  if (key === undefined || sync === names.name) return key;
  const former = formerSyncs(names).find(({ name }) => name === sync);
  return former && `${former.prefix}${key}`;
}

/** The attribute for the external id with its value, if it is configured. */
export function externalIdAttribute(
  record: { sync: string; key: string },
  { target }: { target: Pick<TargetConfig, 'externalId'> },
): Payload {
  return target.externalId ? { [target.externalId]: externalIdOf(record) } : {};
}
