import type { MissingRule } from '../../config/types.ts';
import type { Member } from '../../ledger/members/members.ts';
import type { PublishedCluster } from '../../ledger/members/open-clusters.ts';
import { type JoinRules, movedAbout, withdrawnAbout } from './form-clusters.ts';
import { publisherOf } from './merge-members.ts';
import { compareEvents, type EventDoubt } from './same-event.ts';

/** A member of a cluster that is no longer surely the same event, and what a person is asked about it. */
export interface Stray {
  member: Member;
  why: EventDoubt | 'moved';
  about: string;
}

/**
 * Finds the members of a cluster that are no longer surely the same event as the one that publishes it: one of them has moved, and
 * the other may follow. They give no new values until they are the same again, or a person has said so.
 */
export function astrayIn(
  members: readonly [Member, ...Member[]],
  rules: JoinRules,
  publisher = publisherOf(members, rules.sources),
): { publisher: Member; strays: Stray[] } {
  const others = members.filter((member) => member !== publisher);
  return { publisher, strays: others.flatMap((member) => strayOf(member, publisher, rules)) };
}

function strayOf(member: Member, publisher: Member, rules: JoinRules): Stray[] {
  const isComparable = member.eventHash === publisher.eventHash;
  const sameness = isComparable ? compareEvents(member, publisher, rules) : { is: 'different' as const };
  if (sameness.is === 'same') return [];
  const stray: Stray =
    sameness.is === 'unsure'
      ? { member, why: sameness.why, about: sameness.about }
      : { member, why: 'moved', about: movedAbout(member, publisher) };
  return rules.answers.get(stray.about) === 'same' ? [] : [stray];
}

/** Returns the member that a cluster is published as now: a better one may have left. */
export function publishedMember(
  members: readonly [Member, ...Member[]],
  before: PublishedCluster | undefined,
  { sources }: Pick<JoinRules, 'sources'>,
): Member {
  const isIt = ({ source, astray }: Member) => source === before?.givenBy[''] && !astray;
  return members.find(isIt) ?? publisherOf(members, sources);
}

/** How long a member is no longer the same event until a person is asked. Another source takes over after the same time. */
export function askedAfter(missing: MissingRule) {
  return missing.policy === 'keep' ? { runs: 2 } : missing.after;
}

/** Whether a member has been astray for so long that a person is asked. */
export function isAsked({ astray }: Pick<Member, 'astray'>, missing: MissingRule): boolean {
  const after = askedAfter(missing);
  return astray !== undefined && ('runs' in after ? astray.readings >= after.runs : astray.ms >= after.ms);
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
