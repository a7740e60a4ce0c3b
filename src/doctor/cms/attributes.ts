import { probeAttributeFilter } from '../../cms/attribute-filter.ts';
import type { CmsItem } from '../../cms/client.ts';
import { type Finding, ok } from '../findings/finding.ts';
import type { CmsList } from './cms-list.ts';

/** Checks that items have the attribute for external ids: the safest way to look up an unconfirmed create. */
export function checkExternalId(
  { name }: CmsList,
  externalId: string | undefined,
  items: readonly CmsItem[],
  delivered: ReadonlySet<number>,
): Finding {
  const check = 'cms.external-id';
  const instead = 'Unconfirmed creates are looked up by the content of the record, such as title, date and start.';
  if (externalId === undefined) return ok(check, `${name}: target.externalId is not set.`, instead);
  const showing = items.filter((item) => item[externalId] !== undefined).length;
  const ours = items.filter(({ id }) => delivered.has(id));
  const filled = ours.filter((item) => item[externalId]).length;
  const message = `${name}: ${showing} of ${items.length} checked items have the attribute ${externalId}. It has a value in ${filled} of the ${ours.length} that feedferry delivered.`;
  if (ours.length === 0 || filled > 0) return ok(check, message);
  const remedy = `Create a custom attribute with the layout key ${externalId} in the CMS, or remove target.externalId.`;
  return { check, is: 'warning', message, follows: instead, remedy };
}

/** Checks whether the list can be filtered by an attribute (API: "Syntax details of attributes": not shown). */
export async function checkAttributeFilter(list: CmsList, name: string, items: readonly CmsItem[]): Promise<Finding> {
  const check = 'cms.attributes-filter';
  const probe = await probeAttributeFilter(list, name, items);
  if (probe.works) {
    return ok(check, `${list.name}: the \`attributes\` filter works for ${name}, as ${probe.filter.spelling}.`);
  }
  const message = `${list.name}: the \`attributes\` filter does not work for ${name}: ${probe.reason}.`;
  return ok(check, message, 'Unconfirmed creates are looked up by reading the whole list.');
}
