import type { DesiredRecord } from '../../core/record.ts';
import type { Member } from '../../ledger/members/members.ts';
import type { RunContext } from '../context/run-context.ts';
import { astrayIn, publishedMember } from '../merge/astray.ts';
import { questionsAbout } from '../merge/event-questions.ts';
import { judgeCluster, leavingRuleOf } from '../merge/judge-cluster.ts';
import { mergeRulesOf } from '../merge/rules.ts';
import { eventHash } from '../merge/same-event.ts';
import type { SourceSearch } from './search-sources.ts';
import type { RecordVerdict } from './verdict.ts';

/** The records of several sources that are one event. */
export interface EventMembers {
  /** Key of the record that it is published as; absent: the record waits for an answer. */
  publishedAs?: string;
  /** The source that publishes it; absent: it is not published yet. */
  publisher?: string;
  /** Attribute → the source that gives its value, if it is not the publisher. */
  givenBy: Record<string, string>;
  members: ClusterMember[];
  /** The open questions about the record. */
  questions: Array<{ id: string; reason: string }>;
}

interface ClusterMember {
  key: string;
  source: string;
  /** Place in the source. */
  at: string;
  /** `astray`: it gives no new values, because it is no longer the same event; `missing`, `withdrawn`: its source no longer has it. */
  is: 'publisher' | 'covered' | 'astray' | 'missing' | 'withdrawn' | 'waiting';
}

type ClusterContext = Pick<RunContext, 'ledger' | 'sync'>;

/** Returns the records that are the same event as one with this key; undefined: its sync has one source, or no source had it yet. */
export async function clusterOf(key: string, context: ClusterContext): Promise<EventMembers | undefined> {
  const { ledger, sync } = context;
  if (!sync.sources) return undefined;
  const members = await membersLike(key, context);
  const [first, ...others] = members;
  if (!first) return undefined;
  const questions = await questionsAbout([first, ...others], context);
  if (first.cluster === undefined) {
    return { givenBy: {}, members: [{ ...toPlace(first), is: 'waiting' }], questions };
  }
  const rules = await mergeRulesOf(context);
  const before = (await ledger.members.published(sync.name, [first.cluster])).get(first.cluster);
  const { publisher: best, strays } = astrayIn(
    [first, ...others],
    rules,
    publishedMember([first, ...others], before, rules),
  );
  const { '': publisher, ...givenBy } = before?.givenBy ?? { '': best.source };
  const astray = strays.map(({ member }) => member);
  const isOf = (member: Member): ClusterMember['is'] => {
    if (member.source === publisher) return 'publisher';
    if (member.state === 'withdrawn' || member.state === 'deleted') return 'withdrawn';
    if (member.missedReadings > 0) return 'missing';
    return astray.includes(member) ? 'astray' : 'covered';
  };
  return {
    ...{ publishedAs: first.cluster, ...(publisher !== undefined && { publisher }), givenBy },
    members: members.map((member) => ({ ...toPlace(member), is: isOf(member) })),
    questions,
  };
}

/** What a cluster would be published as, as its sources have it now. */
export async function mergeFound(
  key: string,
  { desired, withdrawn, source }: SourceSearch,
  context: ClusterContext & Pick<RunContext, 'target' | 'runtime'>,
): Promise<{ record?: DesiredRecord; publisherKey?: string }> {
  const { ledger, sync } = context;
  const rules = await mergeRulesOf(context);
  const before = (await ledger.members.published(sync.name, [key])).get(key);
  const found = await membersLike(key, context);
  const [first, ...others] = found.map((member) => refreshed(member, { desired, withdrawn }, rules));
  if (!first || source.found.length === 0) return {};
  // What a source lacks only now, it may have again: the record stays as it is until another source takes over.
  const facts = { members: [first, ...others] as const, before, proven: new Set(rules.sources) };
  const verdict = judgeCluster(facts, rules, leavingRuleOf(context));
  if (verdict.is !== 'published') return {};
  const { publisher, payload, attachments, givenBy } = verdict.record;
  return {
    publisherKey: publisher.key,
    record: { at: publisher.place, key, resource: sync.resource, payload, attachments, givenBy },
  };
}

/** Judges a record that has no item of its own: it is published as another one, or waits for an answer. */
export function coveredVerdict(
  { publishedAs, publisher, questions }: EventMembers,
  { key, sync }: { key: string; sync: string },
): RecordVerdict {
  const [question] = questions;
  if (publishedAs === undefined) {
    const why = `It may be an event that another source has. ${question?.reason ?? ''}`.trim();
    const next = question
      ? `It is not published before the question ${question.id} is answered: \`feedferry questions ${sync}\`.`
      : 'The next run decides whether it is published.';
    return { is: 'skipped', why, next };
  }
  const why = `Another source has the same event: it is published as ${publishedAs}, by ${publisher}.`;
  const next = `If ${publisher} no longer has the event, the next best source takes over. If it is another event: \`feedferry questions ${sync} --distinct ${key}\`.`;
  return { is: 'skipped', why, next };
}

async function membersLike(key: string, { ledger, sync }: ClusterContext): Promise<Member[]> {
  const [own] = await ledger.members.membersBy('key', sync.name, [key]);
  if (own && own.cluster === undefined) return [own];
  return ledger.members.membersBy('cluster', sync.name, [own?.cluster ?? key]);
}

function refreshed(
  member: Member,
  { desired, withdrawn }: Pick<SourceSearch, 'desired' | 'withdrawn'>,
  rules: Parameters<typeof eventHash>[1],
): Member {
  if (withdrawn.has(member.key)) return { ...member, state: 'withdrawn' };
  const record = desired.get(member.key);
  if (!record) return member;
  const { state: _, ...rest } = member;
  const { payload, attachments } = record;
  return { ...rest, payload, attachments, eventHash: eventHash(payload, rules), missedReadings: 0 };
}

function toPlace({ key, source, place }: Member) {
  return { key, source, at: place };
}
