import type { CmsItem } from '../../cms/client.ts';
import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import { readOnlyAttributes, shorthands, standardAttributes } from '../../core/attributes.ts';
import { isObject, type Warning } from '../../core/record.ts';
import { quantity } from '../../core/text/describe-changes.ts';

/** Number of attributes of the site that a warning names. */
const NAMED = 8;

/**
 * Warns of attributes of a map that no item of the CMS has, because a CMS ignores what it does not have, and of those that have files
 * there, because a map sends texts.
 * @param items the newest items of the CMS; without any, nothing is known of its attributes
 */
export function unseenAttributes(
  items: readonly CmsItem[],
  { sync, target }: { sync: SyncConfig; target: Pick<TargetConfig, 'attributes' | 'externalId'> },
): Warning[] {
  const { resource, map = {}, attachments } = sync;
  const own = [
    ...Object.keys(standardAttributes[resource]),
    ...readOnlyAttributes[resource],
    ...Object.keys(shorthands),
  ];
  const known = new Set([...own, ...(target.attributes?.[resource] ?? []), 'password'].map(topOf));
  const ofSite = [...new Set(items.flatMap(Object.keys))].filter(
    (name) => !known.has(name) && name !== target.externalId,
  );
  const custom = (names: object) => [...new Set(Object.keys(names).map(topOf))].filter((name) => !known.has(name));
  const unseen = [...custom(map), ...custom(attachments)].filter((name) => !ofSite.includes(name));
  const isFile = (name: string) => items.some((item) => isObject(item[name]) && 'src' in item[name]);
  const others = ofSite.length === 0 ? '' : ` Its items have: ${ofSite.toSorted().slice(0, NAMED).join(', ')}.`;
  return items.length === 0
    ? []
    : [
        ...unseen.map((name) => {
          const message = `${name}: no item of the site has this attribute (${quantity(items.length, 'item')} read), and a site ignores attributes that it does not have.`;
          return { at: 'map', message: `${message}${others} Write the layout key of an attribute of the site.` };
        }),
        ...custom(map)
          .filter(isFile)
          .map((name) => {
            const message = `${name}: this attribute has files on the site, and \`map\` sends texts. Write it below \`attachments\`: \`attachments: { ${name}: FIELD }\`.`;
            return { at: 'map', message };
          }),
      ];
}

function topOf(name: string): string {
  return name.replace(/\..*/s, '');
}
