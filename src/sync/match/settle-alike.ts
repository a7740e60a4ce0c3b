import { nameWithKey, recordTitle } from '../../core/text/record-title.ts';
import type { HeldChange, StagedCreate } from '../../ledger/plans/adoptions.ts';
import type { OtherRecord } from '../../ledger/plans/other-records.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { createLookIndex, lookHash, lookOf } from '../identity/look.ts';
import type { AlikeRecord, Twin } from './find-alike.ts';

type AnswerContext = Pick<DeliveryContext, 'sync' | 'ledger'>;

/** Sorts the records that look like other items by what people have said about them. */
export async function sortAlike(alike: readonly AlikeRecord[], { sync, ledger }: AnswerContext) {
  const answers = await ledger.questions.answersAbout(
    'item',
    sync.name,
    alike.map(({ key }) => key),
  );
  const answerTo = ({ key, aboutHash }: AlikeRecord) => {
    const answer = answers.get(key);
    return answer?.aboutHash === aboutHash ? answer.answer : undefined;
  };
  return {
    /** Are the same as the items: nothing is created. */
    same: alike.filter((record) => answerTo(record) === 'same').map(({ key }) => key),
    /** Nobody has said anything. */
    open: alike.filter((record) => answerTo(record) === undefined),
  };
}

/** The records that look like items that no record owns, with the ids of these items. */
export function itemsOfEditors(
  alike: readonly AlikeRecord[],
): Array<{ key: string; cmsId: number; aboutHash: string }> {
  return alike.flatMap(({ key, aboutHash, twins }) => {
    const [first] = twins;
    return first.cmsId !== null && twins.every(({ owner }) => !owner) ? [{ key, aboutHash, cmsId: first.cmsId }] : [];
  });
}

/**
 * Returns a function that holds creates that look like the records of runs that have planned at the same time.
 * @returns the function; `distinctHash` of a create: what a person has said it is different from
 */
export function findRacing({ sync }: Pick<DeliveryContext, 'sync'>) {
  return (others: readonly OtherRecord[], creates: ReadonlyArray<StagedCreate & { distinctHash?: string }>) => {
    const index = createLookIndex<Twin & { look: ReturnType<typeof lookOf> }>();
    for (const { sync: name, key, cmsId, contents } of others) {
      for (const content of contents)
        index.add({ cmsId, owner: { sync: name, key }, look: lookOf(content, sync.resource) });
    }
    return creates.flatMap(({ key, payload, distinctHash }): HeldChange[] => {
      const look = lookOf(payload, sync.resource);
      const [first, ...twins] = index.like(look);
      const aboutHash = lookHash(look);
      if (!first || distinctHash === aboutHash) return [];
      const title = recordTitle(payload, sync.resource);
      return [toHold({ key, title, aboutHash, twins: [first, ...twins] }, sync.name)];
    });
  };
}

/** Why a record that looks like other items is held, and the commands by which a person decides. */
export function toHold({ key, title, aboutHash, twins }: AlikeRecord, sync: string): HeldChange {
  const [first, ...others] = twins;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const take = first.owner
    ? `If they are the same: \`feedferry retry ${sync} "${key}" --same\`.`
    : `If it is this item: \`feedferry explain ${sync} "${key}" --adopt ${first.cmsId}\`.`;
  const reason =
    `${nameWithKey({ key, title })} is held: it looks like ${nameOf(first)}${more}. ${take} ` +
    `If not: \`feedferry retry ${sync} "${key}" --distinct\`.`;
  return { key, code: 'FF_RECORD_ALIKE', reason, aboutHash };
}

function nameOf({ cmsId, owner }: Twin): string {
  const item = cmsId === null ? 'not in the CMS yet' : `item ${cmsId}`;
  return owner ? `the record "${owner.key}" of the sync "${owner.sync}" (${item})` : `${item} of the CMS`;
}
