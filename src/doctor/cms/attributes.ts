import { probeAttributeFilter } from '../../cms/attribute-filter.ts';
import type { CmsItem } from '../../cms/client.ts';
import type { Finding } from '../findings/finding.ts';
import type { CmsList } from './cms-list.ts';

/** Whether items show the attribute that carries external ids; it is what tells a create in doubt best. */
export async function* checkExternalId(
  { name }: CmsList,
  externalId: string | undefined,
  items: readonly CmsItem[],
  delivered: ReadonlySet<number>,
): AsyncGenerator<Finding> {
  const check = 'cms.external-id';
  const instead =
    'A create without an answer is looked for by what makes the record itself, such as title, day and start.';
  if (externalId === undefined) {
    yield { check, is: 'ok', message: `${name}: target.externalId is not set.`, follows: instead };
    return;
  }
  const showing = items.filter((item) => item[externalId] !== undefined).length;
  const ours = items.filter(({ id }) => delivered.has(id));
  const filled = ours.filter((item) => item[externalId]).length;
  const message = `${name}: of ${items.length} items looked at ${showing} show ${externalId}; of ${ours.length} that feedferry has delivered, ${filled} have a value in it.`;
  if (ours.length === 0 || filled > 0) {
    yield { check, is: 'ok', message };
    return;
  }
  const remedy = `Make a custom attribute with the layout key ${externalId} in the CMS, or take target.externalId away.`;
  yield { check, is: 'warning', message, follows: instead, remedy };
}

/** Whether the list can be asked for items by an attribute (API: "Syntax details of attributes": not shown). */
export async function* checkAttributeFilter(
  list: CmsList,
  externalId: string | undefined,
  items: readonly CmsItem[],
): AsyncGenerator<Finding> {
  const names = [...(externalId ? [externalId] : []), ...(list.resource === 'accounts' ? ['email', 'username'] : [])];
  for (const name of names) {
    const check = 'cms.attributes-filter';
    const probe = await probeAttributeFilter(list, name, items);
    if (probe.works) {
      const message = `${list.name}: the \`attributes\` filter works for ${name}, written ${probe.filter.spelling}.`;
      yield { check, is: 'ok', message };
    } else {
      const message = `${list.name}: the \`attributes\` filter is of no use for ${name}: ${probe.reason}.`;
      yield { check, is: 'ok', message, follows: 'Creates in doubt are looked for by reading the list itself.' };
    }
  }
}
