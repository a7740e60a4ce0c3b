import type { Member } from '../../ledger/members/members.ts';
import { answered, type JoinRules, movedAbout, withdrawnAbout } from './form-clusters.ts';
import { publisherOf } from './merge-members.ts';
import { compareEvents } from './same-event.ts';

/**
 * Finds the members of a cluster that are no longer the same event as the one that publishes it: one of them has moved, and the
 * other may follow. They give no new values until they are the same again, or a person has said so.
 */
export function astrayIn(
  members: readonly [Member, ...Member[]],
  rules: JoinRules,
): { publisher: Member; members: Member[] } {
  const publisher = publisherOf(members, rules.sources);
  const isSame = (member: Member) =>
    rules.answers.get(movedAbout(member, publisher)) === 'same' ||
    (member.eventHash === publisher.eventHash &&
      answered(compareEvents(member, publisher, rules), rules.answers).is !== 'different');
  return { publisher, members: members.filter((member) => member !== publisher && !isSame(member)) };
}

/**
 * Finds the event that its best source has withdrawn (cancelled, or made private), and that a worse source still has: whether that
 * source may publish it, a person has to say.
 */
export function withdrawalIn(
  members: readonly [Member, ...Member[]],
  rules: JoinRules,
): { publisher: Member; member: Member; about: string } | undefined {
  const publisher = publisherOf(members, rules.sources);
  const [first, ...others] = members.filter(({ state }) => state !== 'withdrawn' && state !== 'deleted');
  if (publisher.state !== 'withdrawn' || !first) return undefined;
  const member = publisherOf([first, ...others], rules.sources);
  const about = withdrawnAbout(member, publisher);
  return rules.answers.get(about) === 'distinct' ? undefined : { publisher, member, about };
}
