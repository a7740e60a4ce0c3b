import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import type { Payload } from '../../core/record.ts';

/** The external id of a record, readable in the CMS. */
export function externalIdOf({ sync, key }: { sync: string; key: string }): string {
  return `${sync}:${key}`;
}

/** The external ids that the item of a record may have: of a renamed sync, also those of its former names. */
export function externalIdsOf(
  { sync, key }: { sync: string; key: string },
  { renamedFrom = [] }: Pick<SyncConfig, 'renamedFrom'>,
): string[] {
  return [sync, ...renamedFrom].map((name) => externalIdOf({ sync: name, key }));
}

/** The external id that an item has, if the attribute for it is configured and the CMS shows it. */
export function externalIdOn(
  item: Readonly<Record<string, unknown>>,
  externalId: string | undefined,
): string | undefined {
  const value = externalId === undefined ? undefined : item[externalId];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The key of the record of a sync that an item carries, under the sync's present or a former name. */
export function keyOn(
  item: Readonly<Record<string, unknown>>,
  { name, renamedFrom = [] }: Pick<SyncConfig, 'name' | 'renamedFrom'>,
  externalId: string | undefined,
): string | undefined {
  const [, sync = '', key] = /^([^:]*):(.*)$/s.exec(externalIdOn(item, externalId) ?? '') ?? [];
  return [name, ...renamedFrom].includes(sync) ? key : undefined;
}

/** The attribute for the external id with its value, if it is configured. */
export function externalIdAttribute(
  record: { sync: string; key: string },
  { target }: { target: Pick<TargetConfig, 'externalId'> },
): Payload {
  return target.externalId ? { [target.externalId]: externalIdOf(record) } : {};
}
