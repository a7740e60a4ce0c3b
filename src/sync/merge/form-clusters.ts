import type { RecordAnswer } from '../../core/errors.ts';
import type { Member } from '../../ledger/members/members.ts';
import { compareEvents, type EventDoubt, type MatchRule, pairOf, type Sameness } from './same-event.ts';

/** Whether two records of different sources are the same event: a person has to say. */
export interface EventQuestion {
  /** What the answer is about; also identifies the question. */
  about: string;
  why: EventDoubt | 'several' | 'moved' | 'withdrawn';
  /** The record that waits for the answer; of `moved`: the one that gives no new values until then, */
  member: Member;
  /** and the one that may be the same event. */
  other: Member;
}

/** What people have said, by what it is about. */
export type EventAnswers = ReadonlyMap<string, RecordAnswer>;

/** The members that may be the same event. */
export interface EventGroup {
  members: readonly Member[];
  /** The sources of all members of their clusters, also of those that were moved since. */
  sourcesOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** Keys of members that are published already, under their own keys. */
  ownRecords: ReadonlySet<string>;
  /** Keys of members that are clusters of others → the keys for clusters of their own. */
  homes: ReadonlyMap<string, string>;
}

/** How members are joined. */
export interface JoinRules extends MatchRule {
  answers: EventAnswers;
  /** The names of the sources, best first. */
  sources: readonly string[];
  /** Keys of members that wait for an answer whether they are known ones with other keys. */
  waiting?: ReadonlySet<string>;
}

/**
 * Decides which new members join clusters, and which found their own, as pure data. A member that is surely the same event as one
 * cluster joins it; one that may be the same as a cluster, or is the same as several, waits for an answer. Two members of one
 * source are never joined: if both are the same as a cluster, neither joins by itself.
 * @returns `clusters`: key of a member → its cluster; members that wait are not in it
 */
export function formClusters(
  { members, sourcesOf, ownRecords, homes }: EventGroup,
  rules: JoinRules,
): { clusters: Map<string, string>; questions: EventQuestion[] } {
  const clusters = new Map<string, string>();
  const groups = new Map<string, { members: Member[]; sources: Set<string> }>();
  for (const member of members) if (member.cluster !== undefined) enter(member, member.cluster);
  const fresh = inOrder(
    members.filter(
      ({ key, cluster, missedReadings, state }) =>
        cluster === undefined && missedReadings === 0 && isUsable(state) && !rules.waiting?.has(key),
    ),
    { ownRecords, ...rules },
  );
  // What one member joins may decide about those before it, so they are compared again.
  for (let waiting = fresh; waiting.length > 0; ) {
    const asked = waiting.flatMap((member) => {
      const decided = ownRecords.has(member.key) ? { join: member.key } : decide(member);
      if ('ask' in decided) return [{ member, questions: decided.ask }];
      clusters.set(member.key, decided.join);
      enter(member, decided.join);
      return [];
    });
    if (asked.length === waiting.length) return { clusters, questions: asked.flatMap(({ questions }) => questions) };
    waiting = asked.map(({ member }) => member);
  }
  return { clusters, questions: [] };

  function enter(member: Member, cluster: string): void {
    const group = groups.get(cluster) ?? { members: [], sources: new Set(sourcesOf.get(cluster)) };
    group.members.push(member);
    group.sources.add(member.source);
    groups.set(cluster, group);
  }

  function decide(member: Member): { join: string } | { ask: EventQuestion[] } {
    const home = homes.get(member.key) ?? member.key;
    const same: Array<{ cluster: string; other: Member; hasMoved: boolean }> = [];
    const unsure: EventQuestion[] = [];
    for (const [cluster, group] of groups) {
      const hasMoved = group.sources.has(member.source);
      const [own, others] = bySource(group.members, member.source);
      if (hasMoved && !isPublishedHere({ members: others, sources: group.sources })) continue;
      if (isApart(member, { key: cluster }, rules)) continue;
      // The record of its source may have moved within the day.
      if (own.some((one) => others.length === 0 || compareWithAll(one, others, rules) !== undefined)) continue;
      const found = compareWithAll(member, others, rules);
      if (found?.sameness.is === 'same') same.push({ cluster, other: found.other, hasMoved });
      if (found?.sameness.is === 'unsure') {
        const { why, about } = found.sameness;
        unsure.push({ about, why, member, other: found.other });
      }
    }
    const [first, ...others] = same;
    if (!first) return unsure.length > 0 ? { ask: unsure } : { join: home };
    const isRivalled = fresh.some(
      (rival) =>
        rival !== member &&
        rival.source === member.source &&
        isOpen(rival) &&
        !isApart(rival, { key: first.cluster }, rules) &&
        isSame(rival, first.other),
    );
    // If its source has moved the record that was joined, the new one may be that event, or another one at the same time.
    if (others.length === 0 && !isRivalled && !first.hasMoved) return { join: first.cluster };
    const chosen = same.filter(({ other }) => rules.answers.get(severalAbout(member, other)) === 'same');
    const open = same.filter(({ other }) => rules.answers.get(severalAbout(member, other)) === undefined);
    const [choice] = chosen;
    if (choice && chosen.length === 1) return { join: choice.cluster };
    if (open.length === 0) return { join: home };
    return { ask: open.map(({ other }) => ({ about: severalAbout(member, other), why: 'several', member, other })) };
  }

  /** Whether the best source of a cluster has the event, so that the item shows it. */
  function isPublishedHere({ members: here, sources }: { members: readonly Member[]; sources: ReadonlySet<string> }) {
    const best = rules.sources.find((name) => sources.has(name));
    return here.some(({ source }) => source === best);
  }

  function isOpen({ key }: Member): boolean {
    return !clusters.has(key) && !ownRecords.has(key);
  }

  function isSame(one: Member, other: Member): boolean {
    return answered(compareEvents(one, other, rules), rules.answers).is === 'same';
  }
}

/** Returns the members of a source, and the others. */
function bySource(members: readonly Member[], source: string): [own: Member[], others: Member[]] {
  const { own = [], others = [] } = Object.groupBy(members, (one) => (one.source === source ? 'own' : 'others'));
  return [own, others];
}

/** The result of a comparison, with what a person has said about it. */
export function answered(sameness: Sameness, answers: EventAnswers): Sameness {
  const answer = sameness.is === 'unsure' ? answers.get(sameness.about) : undefined;
  if (answer === undefined) return sameness;
  return { is: answer === 'same' ? 'same' : 'different' };
}

/** What the answer is about whether a record is published as another one, whatever the rules say. */
export function apartAbout(member: Pick<Member, 'key'>, record: Pick<Member, 'key'>): string {
  return `apart: ${pairOf(member, record)}`;
}

/** Whether a person has separated two records that the rules had joined. */
export function isApart(
  member: Pick<Member, 'key'>,
  record: Pick<Member, 'key'>,
  { answers }: Pick<JoinRules, 'answers'>,
): boolean {
  return answers.get(apartAbout(member, record)) === 'distinct';
}

/** What the answer is about whether an event that its best source has withdrawn is the one that another source still has. */
export function withdrawnAbout(member: Pick<Member, 'key'>, publisher: Pick<Member, 'key'>): string {
  return `withdrawn: ${pairOf(member, publisher)}`;
}

/** An event that its source has withdrawn is compared, so that no other source publishes it. */
function isUsable(state: Member['state']): boolean {
  return state === undefined || state === 'withdrawn';
}

/** What the answer is about whether a member of a cluster is still the same event as the one that publishes it. */
export function movedAbout(member: Pick<Member, 'key'>, publisher: Pick<Member, 'key'>): string {
  return `moved: ${pairOf(member, publisher)}`;
}

/** What the answer is about which of several such records of a source is the event of another one. */
export function severalAbout(member: Pick<Member, 'key'>, other: Pick<Member, 'key'>): string {
  return `several: ${pairOf(member, other)}`;
}

/**
 * What an answer is about after records got new keys. A record that was separated from others is named by the record that it is
 * published as, if there is one, whose key stays.
 */
export function aboutRenamed(about: string, { members, homeless, series }: NewNames): string {
  const [, why = '', one = '', other = ''] = /^(\w+): (.*) ~ (.*)$/s.exec(about) ?? [];
  if (why === 'series') return `${why}: ${series.get(one) ?? one} ~ ${other}`;
  if (why === 'places' || why === '') return about;
  const names = why === 'apart' ? homeless : members;
  return `${why}: ${pairOf({ key: names.get(one) ?? one }, { key: names.get(other) ?? other })}`;
}

/** The new names of what answers are about, by the names before. */
export interface NewNames {
  /** The keys of members, */
  members: ReadonlyMap<string, string>;
  /** those of members that are not published under their own keys, */
  homeless: ReadonlyMap<string, string>;
  /** and series. */
  series: ReadonlyMap<string, string>;
}

/** Compares a member with those of a cluster: one that is surely the same is enough. */
function compareWithAll(member: Member, others: readonly Member[], rules: JoinRules) {
  const compared = others.map((other) => ({
    other,
    sameness: answered(compareEvents(member, other, rules), rules.answers),
  }));
  return (
    compared.find(({ sameness }) => sameness.is === 'same') ?? compared.find(({ sameness }) => sameness.is === 'unsure')
  );
}

/** Published members first, then those of the best source. */
function inOrder(
  members: Member[],
  { ownRecords, sources }: Pick<EventGroup, 'ownRecords'> & Pick<JoinRules, 'sources'>,
) {
  const rank = ({ key, source }: Member) => (ownRecords.has(key) ? -1 : sources.indexOf(source));
  return members.toSorted((one, other) => rank(one) - rank(other) || (one.key < other.key ? -1 : 1));
}
