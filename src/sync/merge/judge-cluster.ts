import type { MissingRule } from '../../config/types.ts';
import type { Withdrawal } from '../../core/record.ts';
import type { Member } from '../../ledger/members/members.ts';
import type { PublishedCluster } from '../../ledger/members/open-clusters.ts';
import type { RunContext } from '../context/run-context.ts';
import { coveredBy, isCoveredBy } from '../plan/coverage.ts';
import { missingRuleOf } from '../plan/missing-records.ts';
import { astrayIn, withdrawalIn } from './astray.ts';
import type { JoinRules } from './form-clusters.ts';
import { type MergedRecord, type MergeRules, mergeMembers } from './merge-members.ts';

export type Cluster = readonly [Member, ...Member[]];

/** What follows from the members of a cluster. */
export type ClusterVerdict =
  /** It is published. `leaving`: the source that published it before, and no longer has it. */
  | { is: 'published'; record: MergedRecord; leaving?: string; strangers: Member[]; astray: ReadonlySet<string> }
  /** No source has it any longer, or the best one has withdrawn it: it counts as missing. */
  | { is: 'missing' }
  /** No source has it any longer, but a source that had it says nothing about its days: it stays as it is. */
  | { is: 'outside' }
  /** Its sources have deleted it, cancelled it or made it private. */
  | { is: 'withdrawn'; as: Withdrawal['as'] }
  /** What its sources say now cannot be used: it stays as it is. */
  | { is: 'rejected' };

/** What is known about a cluster. */
export interface ClusterFacts {
  members: Cluster;
  /** What it is published as; absent: nothing yet. */
  before?: PublishedCluster;
  /** The sources of which it is known what they do not have. */
  proven: ReadonlySet<string>;
}

/** When a member that its source lacks gives up its event to another source. */
export interface LeavingRule {
  missingOf(source: string): MissingRule;
  /** Whether a source keeps its events although the sync removes missing ones. */
  keeps(source: string): boolean;
  /** Whether a member is on days for which its source is authoritative. */
  isCovered(member: Member): boolean;
  /** ms since 1970 */
  now: number;
}

/** When members of a sync leave now. */
export function leavingRuleOf({ sync, target, runtime }: Pick<RunContext, 'sync' | 'target' | 'runtime'>): LeavingRule {
  const now = runtime.now();
  const covered = new Map((sync.sources ?? []).map(({ name, sync: own }) => [name, coveredBy(own, target, now)]));
  return {
    missingOf: (source) => missingRuleOf(sync, source),
    keeps: (source) => sync.missing.policy !== 'keep' && missingRuleOf(sync, source).policy === 'keep',
    isCovered: ({ source, payload }) => isCoveredBy(covered.get(source) ?? {}, payload),
    now,
  };
}

/**
 * Decides what becomes of a cluster, purely.
 * @returns `strangers`: members that are other events; `astray`: keys of those that are not surely the same event now
 */
export function judgeCluster(
  { members, before, proven }: ClusterFacts,
  rules: JoinRules & MergeRules,
  leavingRule: LeavingRule,
): ClusterVerdict {
  // What a source lacks is only known if it was read whole.
  const { isCovered, keeps } = leavingRule;
  const isThere = (member: Member) => member.missedReadings === 0 || !proven.has(member.source);
  const isWanted = ({ state }: Member) => state !== 'deleted' && state !== 'withdrawn';
  const present = members.filter((member) => isThere(member) && isWanted(member));
  if (present.length === 0) {
    if (members.some(({ state }) => state === 'deleted')) return { is: 'withdrawn', as: 'deleted' };
    if (members.some(({ state }) => state === 'withdrawn')) return { is: 'withdrawn', as: 'cancelled or private' };
    const mayStay = (member: Member) => isWanted(member) && (!isCovered(member) || keeps(member.source));
    return { is: members.some(mayStay) ? 'outside' : 'missing' };
  }
  if (members.some(({ state }) => state === 'duplicate') || present.every(({ state }) => state))
    return { is: 'rejected' };
  // Without an answer, no source carries on what a better one has withdrawn.
  if (withdrawalIn(members, rules)) return { is: 'missing' };
  // What a source gives now stays while it cannot be read; what it has given up before does not return by that.
  const gives = ({ source }: Member) => before === undefined || Object.values(before.givenBy).includes(source);
  const stays = (member: Member) => !hasLeft(member, leavingRule) || (isThere(member) && gives(member));
  const staying = members.filter((member) => isWanted(member) && stays(member));
  const [first, ...others] = staying;
  if (!first) return { is: 'missing' };
  const { publisher, strays } = astrayIn([first, ...others], rules);
  const isStray = (member: Member) => strays.some((stray) => stray.member === member);
  // A person has said so, or another record of its source has taken its place.
  const isReplaced = ({ source }: Member) => staying.some((other) => other.source === source && !isStray(other));
  const strangers = strays.flatMap(({ member, about }) =>
    rules.answers.get(about) === 'distinct' || isReplaced(member) ? [member] : [],
  );
  const joined = staying.filter((member) => member !== publisher && !strangers.includes(member));
  const astray = new Set(strays.map(({ member }) => member.key));
  const record = mergeMembers({ members: [publisher, ...joined], astray, ...(before && { before }) }, rules);
  const leaving = members.find(({ source, missedReadings }) => source === before?.givenBy[''] && missedReadings > 0);
  const isLeft = leaving !== undefined && leaving.source !== publisher.source;
  return { is: 'published', record, strangers, astray, ...(isLeft && { leaving: leaving.source }) };
}

/** Whether a member counts as missing for long enough that another source takes over. Sources drop past events. */
function hasLeft(member: Member, { missingOf, isCovered, now }: LeavingRule): boolean {
  const missing = missingOf(member.source);
  if (member.missedReadings === 0 || missing.policy === 'keep' || !isCovered(member)) return false;
  const { after } = missing;
  return 'runs' in after ? member.missedReadings >= after.runs : now - (member.missedSince ?? now) >= after.ms;
}
