import { ABOUT_NEW } from '../../core/record.ts';
import { nameWithKey, recordTitle } from '../../core/text/record-title.ts';
import type { HeldChange } from '../../ledger/plans/adoptions.ts';
import type { RunContext } from '../context/run-context.ts';

/**
 * Reviews what a plan creates: what a person has left out stays so, and if the sync asks for it, a person has to say of each new record that it
 * is published.
 * @returns `held`: records about which nobody has said anything; `left`: keys of those that are never published
 */
export async function reviewNew(
  run: string,
  { sync, ledger }: Pick<RunContext, 'sync' | 'ledger'>,
): Promise<{ held: HeldChange[]; left: string[] }> {
  const held: HeldChange[] = [];
  const left: string[] = [];
  for await (const records of ledger.plans.unreviewed(run, sync.name, { isAsked: sync.review === 'new' })) {
    for (const { key, payload, resource, isLeft } of records) {
      if (isLeft) left.push(key);
      else held.push(toHeld(key, recordTitle(payload, resource) ?? '', sync.name));
    }
  }
  return { held, left };
}

function toHeld(key: string, title: string, sync: string): HeldChange {
  const reason =
    `${nameWithKey({ key, title })} is new, and waits until a person has seen it. To publish it: \`feedferry retry ${sync} "${key}" --publish\`. ` +
    `To leave it out for good: \`feedferry retry ${sync} "${key}" --leave\`.`;
  return { key, code: 'FF_RECORD_REVIEW', reason, aboutHash: ABOUT_NEW };
}
