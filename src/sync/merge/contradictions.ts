import type { RecordAnswer } from '../../core/errors.ts';
import type { Member } from '../../ledger/members/members.ts';
import { answered, apartAbout, type JoinRules, movedAbout, severalAbout, withdrawnAbout } from './form-clusters.ts';
import { compareEvents } from './same-event.ts';

/** What says that two records, or two places, are the same or not. */
interface Link {
  ends: readonly [string, string];
  is: RecordAnswer;
  /** What the answer is about; absent: the rules say so. */
  about?: string;
  /** Only for these two: it may be an exception to what holds for all events at two places. */
  isOfPair: boolean;
}

/**
 * Finds the answers that contradict new ones, as pure data: what is the same as a third is the same, through any number of records.
 * A record that is separated from another is an exception to the rules and to answers about places, but not to what was said about
 * single records.
 * @param fresh what the new answers are about; `rules` has all answers
 * @param members all that may be the same events
 * @returns what the other answers are about; undefined: nothing contradicts
 */
export function contradicting(
  fresh: ReadonlySet<string>,
  members: readonly Member[],
  rules: JoinRules,
): string[] | undefined {
  const links = [...linksOf(members, rules), ...placesOf(rules)];
  const same = links.filter(({ is }) => is === 'same');
  for (const distinct of links.filter(({ is }) => is === 'distinct')) {
    const isException = distinct.about?.startsWith('apart: ') ?? false;
    const path = pathBetween(distinct.ends, same) ?? [];
    if (!path.some(({ about, isOfPair }) => about !== undefined && (isOfPair || !isException))) continue;
    const abouts = [distinct, ...path].flatMap(({ about }) => about ?? []);
    if (abouts.some((about) => fresh.has(about))) return [...new Set(abouts)].filter((about) => !fresh.has(about));
  }
  return undefined;
}

/** What is said about each two members now. An answer to a question that no longer arises says nothing. */
function linksOf(members: readonly Member[], rules: JoinRules): Link[] {
  const links: Link[] = [];
  for (const [index, one] of members.entries()) {
    for (const other of members.slice(index + 1)) {
      const ends = [one.key, other.key] as const;
      if (rules.answers.get(apartAbout(one, other)) === 'distinct')
        links.push({ ends, is: 'distinct', about: apartAbout(one, other), isOfPair: true });
      if (one.source === other.source) continue;
      for (const { about, isOfPair } of questionsAbout(one, other, members, rules)) {
        const answer = about === undefined ? 'same' : rules.answers.get(about);
        if (answer) links.push({ ends, is: answer, ...(about !== undefined && { about }), isOfPair });
      }
    }
  }
  return links;
}

/** The questions that may be asked about two members; without `about`, the rules have decided. */
function questionsAbout(one: Member, other: Member, members: readonly Member[], rules: JoinRules) {
  const isWithdrawn = one.state === 'withdrawn' || other.state === 'withdrawn';
  const withdrawn = isWithdrawn ? [{ about: withdrawnAbout(one, other), isOfPair: true }] : [];
  if (one.eventHash !== other.eventHash) return [...withdrawn, { about: movedAbout(one, other), isOfPair: true }];
  const sameness = compareEvents(one, other, rules);
  const several = { about: severalAbout(one, other), isOfPair: true };
  if (sameness.is === 'different') return [...withdrawn, { about: movedAbout(one, other), isOfPair: true }];
  if (sameness.is === 'unsure' && (sameness.why === 'noPlace' || sameness.why === 'allDay'))
    return [...withdrawn, several, { about: sameness.about, isOfPair: true }];
  // Of several such records of a source, which one is meant is another question.
  const isRivalled = members.some(
    (rival) =>
      (rival !== one && rival.source === one.source && isSame(rival, other, rules)) ||
      (rival !== other && rival.source === other.source && isSame(rival, one, rules)),
  );
  if (isRivalled) return [...withdrawn, several];
  return [...withdrawn, { ...(sameness.is === 'unsure' && { about: sameness.about }), isOfPair: false }];
}

function isSame(one: Member, other: Member, rules: JoinRules): boolean {
  return one.eventHash === other.eventHash && answered(compareEvents(one, other, rules), rules.answers).is === 'same';
}

/** Answers about two places hold for events to come, too. */
function placesOf({ answers }: Pick<JoinRules, 'answers'>): Link[] {
  return [...answers].flatMap(([about, is]) => {
    const [, one, other] = /^places: (.*) ~ (.*)$/s.exec(about) ?? [];
    if (one === undefined || other === undefined) return [];
    return [{ ends: [`place ${one}`, `place ${other}`] as const, is, about, isOfPair: true }];
  });
}

/** The shortest way from one end to the other; undefined: there is none. */
function pathBetween([from, to]: readonly [string, string], links: readonly Link[]): Link[] | undefined {
  const paths = new Map<string, Link[]>([[from, []]]);
  // The map grows while it is read.
  for (const [end, path] of paths) {
    if (end === to) return path;
    for (const link of links) {
      const [one, other] = link.ends;
      const next = one === end ? other : other === end ? one : undefined;
      if (next !== undefined && !paths.has(next)) paths.set(next, [...path, link]);
    }
  }
  return undefined;
}
