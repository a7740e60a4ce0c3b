import { sha256 } from '../../core/hash.ts';
import type { DesiredRecord } from '../../core/record.ts';
import { nameWithKey, recordTitle } from '../../core/text/record-title.ts';
import type { HeldChange } from '../../ledger/plans/adoptions.ts';
import type { ItemAnswer } from '../../ledger/questions/questions.ts';

const HELD = ' is held by a rule: ';
const PUBLISH = '. To publish it all the same:';

/** Returns what breaks the rule, of the reason why a record is held. */
export function brokenRuleIn(reason: string): string {
  const [, broken = reason] = reason.split(HELD);
  return `${broken.split(PUBLISH)[0]}.`;
}

/**
 * Returns why a record is held that breaks rules, or that a person has left it out; undefined if a person has said that it is published, for
 * as long as the record breaks the same rules by the same values. What is left out stays so.
 */
export function heldByRules(
  { key, payload, resource }: Pick<DesiredRecord, 'key' | 'payload' | 'resource'>,
  hold: string,
  { sync, isNew, answer }: { sync: string; isNew: boolean; answer: ItemAnswer | undefined },
): HeldChange | 'left' | undefined {
  const aboutHash = sha256(hold).slice(0, 24);
  if (answer?.answer === 'leave' && isNew) return 'left';
  if (answer?.answer === 'publish' && answer.aboutHash === aboutHash) return undefined;
  const title = nameWithKey({ key, title: recordTitle(payload, resource) ?? '' });
  const leave = isNew ? ` To leave it out: \`feedferry retry ${sync} "${key}" --leave\`.` : '';
  const reason = `${title}${HELD}${hold.replace(/\.$/, '')}${PUBLISH} \`feedferry retry ${sync} "${key}" --publish\`.${leave}`;
  return { key, code: 'FF_RECORD_RULE', reason, aboutHash };
}
