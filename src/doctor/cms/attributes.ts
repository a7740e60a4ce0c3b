import { probeAttributeFilter } from '../../cms/attribute-filter.ts';
import type { CmsItem } from '../../cms/client.ts';
import type { Payload } from '../../core/record.ts';
import { hasValue, isEmpty, valueAt } from '../../sync/items/values.ts';
import { type Finding, ok } from '../findings/finding.ts';
import type { CmsList } from './cms-list.ts';

/** Checks that items have the attribute for external ids, because it is the safest way to look up an unconfirmed create. */
export function checkExternalId(
  { name }: CmsList,
  externalId: string | undefined,
  items: readonly CmsItem[],
  delivered: ReadonlyMap<number, Payload>,
): Finding {
  const check = 'cms.external-id';
  const instead = 'Unconfirmed creates are looked up by the content of the record, such as title, date and start.';
  if (externalId === undefined) return ok(check, `${name}: target.externalId is not set.`, instead);
  const showing = items.filter((item) => item[externalId] !== undefined).length;
  const ours = items.filter(({ id }) => delivered.has(id));
  const filled = ours.filter((item) => item[externalId]).length;
  const cut = ours.flatMap((item) => {
    const [sent, shown] = [delivered.get(item.id)?.[externalId], item[externalId]];
    const isCut = typeof sent === 'string' && typeof shown === 'string' && shown !== '' && shown !== sent;
    return isCut && sent.startsWith(shown) ? [sent] : [];
  });
  if (cut.length > 0) {
    const longest = Math.max(...cut.map((sent) => sent.length));
    const message = `${name}: the CMS has cut the external ids of ${cut.length} of the ${ours.length} items that feedferry delivered: "${cut[0]}".`;
    const follows = 'Records whose external ids begin alike cannot be told apart by them.';
    const remedy = `Let the attribute ${externalId} hold at least ${longest} characters in the CMS, before more records are created.`;
    return { check, is: 'warning', message, follows, remedy };
  }
  const message = `${name}: ${showing} of ${items.length} checked items have the attribute ${externalId}. It has a value in ${filled} of the ${ours.length} that feedferry delivered.`;
  if (ours.length === 0 || filled > 0) return ok(check, message);
  const remedy = `Create a custom attribute with the layout key ${externalId} in the CMS, or remove target.externalId.`;
  return { check, is: 'warning', message, follows: instead, remedy };
}

/** Attributes by which a look-up recognises an item. */
const IDENTITY = {
  events: ['title', 'date', 'endDate', 'time.start'],
  accounts: ['email', 'username'],
};

/** Compares delivered items with the values sent: a CMS may escape, cut or move the attributes that identify an item. */
export function checkRewriting(
  { name, resource }: CmsList,
  externalId: string | undefined,
  items: readonly CmsItem[],
  delivered: ReadonlyMap<number, Payload>,
): Finding {
  const check = 'cms.rewriting';
  const ours = items.flatMap((item) => {
    const sent = delivered.get(item.id);
    return sent ? [{ item, sent }] : [];
  });
  if (ours.length === 0) return ok(check, `${name}: the first page has no item that feedferry delivered.`);
  const attributes = [...IDENTITY[resource], ...(externalId ? [externalId] : [])];
  const differing = attributes.flatMap((attribute) => {
    const wasSent = ours.filter(({ sent }) => !isEmpty(valueAt(sent, attribute)));
    const others = wasSent.filter(({ item, sent }) => !hasValue(item, attribute, valueAt(sent, attribute)));
    return others.length > 0 ? [`${attribute} (${others.length} of ${wasSent.length})`] : [];
  });
  if (differing.length === 0) {
    return ok(
      check,
      `${name}: the CMS shows ${attributes.join(', ')} as they were sent (items compared: ${ours.length}).`,
    );
  }
  const message = `${name}: the CMS, or editors, have changed ${differing.join(', ')} since feedferry sent them.`;
  return ok(check, message, 'A create without an answer is held if its item cannot be recognised for certain.');
}

/** Checks whether the list can be filtered by an attribute (API: "Syntax details of attributes": not shown). */
export async function checkAttributeFilter(list: CmsList, name: string, items: readonly CmsItem[]): Promise<Finding> {
  const check = 'cms.attributes-filter';
  const probe = await probeAttributeFilter(list, name, items);
  if (probe.works) {
    return ok(check, `${list.name}: the \`attributes\` filter works for ${name}.`);
  }
  const message = `${list.name}: the \`attributes\` filter does not work for ${name}: ${probe.reason}.`;
  return ok(check, message, 'Unconfirmed creates are looked up by reading the whole list.');
}
