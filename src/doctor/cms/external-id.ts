import type { CmsItem } from '../../cms/client.ts';
import type { Payload } from '../../core/record.ts';
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
