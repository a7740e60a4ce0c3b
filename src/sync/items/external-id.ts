import type { CmsItem } from '../../cms/items.ts';
import type { TargetConfig } from '../../config/types.ts';
import type { Payload } from '../../core/record.ts';

/** The value of the external-id attribute: whose record it is, readable in the CMS. */
export function externalIdOf({ sync, key }: { sync: string; key: string }): string {
  return `${sync}:${key}`;
}

/** What the external-id attribute of an item says, where it is configured and the CMS shows it. */
export function externalIdOn(item: CmsItem, externalId: string | undefined): string | undefined {
  const mark = externalId === undefined ? undefined : item[externalId];
  return typeof mark === 'string' && mark !== '' ? mark : undefined;
}

/** The external-id attribute with its value, where it is configured. */
export function externalIdAttribute(
  record: { sync: string; key: string },
  { target }: { target: Pick<TargetConfig, 'externalId'> },
): Payload {
  return target.externalId ? { [target.externalId]: externalIdOf(record) } : {};
}
