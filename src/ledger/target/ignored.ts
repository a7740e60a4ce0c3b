import { type Kysely, sql } from 'kysely';
import { standardAttributes } from '../../core/attributes.ts';
import { ignoredAttributes } from '../../core/ignored-attributes.ts';
import type { Warning } from '../../core/record.ts';
import { type DeliveredColumns, deliveredIn, isRewritten, itemIn } from '../database/item-state.ts';
import type { LedgerTables } from '../database/schema.ts';
import { all, cell } from '../database/statements.ts';

/** An attribute that the CMS ignores, and how many items of a sync lack it. */
export interface Ignored {
  attribute: string;
  items: number;
  /** How many items should have it. */
  of: number;
  carriesExternalIds: boolean;
}

/** Where warnings about the CMS come from, in place of a place in the feed. */
const PLACE = 'CMS';

/** Adds to the warnings of a run what the CMS ignores of its sync; they replace those of an earlier run. */
export async function withIgnored(
  db: Kysely<LedgerTables>,
  sync: string,
  warnings: readonly Warning[],
): Promise<Warning[]> {
  const ignored = await ignoredOf(db, sync);
  return [...ignored.map(toWarning), ...warnings.filter(({ at }) => at !== PLACE)];
}

/** The attributes of a sync that the CMS ignores. Reads the records that the CMS shows differently. */
export async function ignoredOf(db: Kysely<LedgerTables>, sync: string): Promise<Ignored[]> {
  const rows = await all<{ key: string } & DeliveredColumns>(db)`
    select key, delivered, item from record_contents as records
    where sync = ${sync} and cms_id is not null and ${isRewritten}
  `;
  const found = rows.flatMap(({ key, ...row }) => {
    const payload = deliveredIn(row);
    const attributes = ignoredAttributes(payload, itemIn(row.item).madeByCms);
    return attributes.map((attribute) => ({ attribute, isExternalId: payload?.[attribute] === `${sync}:${key}` }));
  });
  const groups = [...Map.groupBy(found, ({ attribute }) => attribute)];
  return Promise.all(
    groups.map(async ([attribute, items]) => {
      const of = await cell<number>(db)`
        select count(*) from record_contents where sync = ${sync} and cms_id is not null and ${hasValue(attribute)}
      `;
      const carriesExternalIds = items.some(({ isExternalId }) => isExternalId);
      return { attribute, items: items.length, of: Math.max(of ?? 0, items.length), carriesExternalIds };
    }),
  );
}

/** Of records: an attribute, or a part with this name, was delivered with a value. */
function hasValue(attribute: string) {
  const name = `${JSON.stringify(attribute.replace(/^.*\./s, ''))}:`;
  const has = (text: string) =>
    sql<boolean>`replace(delivered || coalesce(item, ''), ${text}, '') <> delivered || coalesce(item, '')`;
  return sql<boolean>`(${has(name)} and not ${has(`${name}null`)} and not ${has(`${name}""`)} and not ${has(`${name}false`)})`;
}

function altMessage(attribute: string, items: number, of: number): string {
  const have = items === 1 ? 'item does not have it' : 'items do not have it';
  return `The CMS has not taken the alternative text (\`${attribute}\`): ${items} of ${of} ${have}. Write it in the CMS, or ask its provider how the API takes it. To stop sending it: \`target.altText: none\`.`;
}

function toWarning({ attribute, items, of, carriesExternalIds }: Ignored): Warning {
  if (attribute.endsWith('.alt')) return { at: PLACE, message: altMessage(attribute, items, of) };
  const lack = items === 1 ? 'item lacks' : 'items lack';
  const identity = carriesExternalIds
    ? ' It carries the external ids (`target.externalId`), so items are recognised by their content only.'
    : '';
  const isStandard = Object.values(standardAttributes).some((names) => Object.hasOwn(names, attribute));
  const remedy = isStandard
    ? 'Check whether the token may set it'
    : 'Create an attribute with this layout key in the CMS';
  const message = `\`${attribute}\` is ignored by the CMS: ${items} of ${of} ${lack} it.${identity} ${remedy}, or remove it from the config.`;
  return { at: PLACE, message };
}
