import { CodedError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { type EventFacts, eventFacts } from '../../core/text/event-facts.ts';
import { placeOf, recordTitle } from '../../core/text/record-title.ts';
import type { Answer, NewAnswer } from '../../ledger/answers/answers.ts';
import type { Member } from '../../ledger/members/members.ts';
import type { PublishedCluster } from '../../ledger/members/open-clusters.ts';
import type { RunContext } from '../context/run-context.ts';
import { missingRuleOf } from '../plan/missing-records.ts';
import { astrayIn, isAsked, publishedMember, withdrawalIn } from './astray.ts';
import { contradicting } from './contradictions.ts';
import { apartAbout, type EventQuestion, type JoinRules } from './form-clusters.ts';
import { openQuestions } from './join-members.ts';
import { mergeRulesOf } from './rules.ts';
import { type Separation, separateRecords } from './separate-records.ts';

type QuestionContext = Pick<RunContext, 'ledger' | 'sync'>;

const PAGE = 500;

/** A question whether two records are the same event, as people see it. */
export interface AskedQuestion {
  /** By which an answer names it. */
  id: string;
  why: EventQuestion['why'] | 'keyChanged' | 'keyReused' | 'new' | 'rule';
  /** The same, as a sentence. */
  reason: string;
  /** The first records that it is about: the one that waits, and the one that may be the same event; none: is the record published? */
  records: [AskedRecord, ...AskedRecord[]];
  /** How many records wait for the answer. */
  waiting: number;
}

export interface AskedRecord {
  key: string;
  /** Who has it: a source, or an item. */
  source: string;
  /** Title, day, time and place. */
  title: string;
  event: EventFacts;
}

/** What a person has said about a question. */
export interface GivenAnswer extends Answer {
  id: string;
  /** `apart`: nobody was asked; an undo has separated what the rules had joined. */
  why: AskedQuestion['why'] | 'apart';
  /** Two places, two records, or a series and a source. */
  about: string;
  /** The records, if it is about two that their sources still have. */
  records?: AskedRecord[];
}

const REASONS: Readonly<Record<EventQuestion['why'], string>> = {
  places:
    'They are at the same time, but at places with different names: PLACES. The answer holds for all events at these two places.',
  noPlace: 'They are at the same time, but one of them names no place.',
  allDay: 'They are on the same day, but one of them lasts all day.',
  series: 'They are at the same time, but one of them belongs to a series. The answer holds for the whole series.',
  several: 'They are at the same time and place, but a source has several such events.',
  withdrawn:
    'The better source has cancelled it or made it private; the other one still has it. If it is the same event, it is not published.',
  moved: 'They were the same event, and one of them has changed its title, day, time or place.',
};

/** Returns the questions about the events of a sync with several sources: first the open ones, then those that were answered. */
export async function questionsAboutEvents(context: QuestionContext): Promise<AskedQuestion[]> {
  const asked = new Map<string, AskedQuestion>();
  for await (const question of questionsOf(context)) {
    const id = idOf(question.about);
    const known = asked.get(id);
    if (known) known.waiting += 1;
    else
      asked.set(id, {
        id,
        why: question.why,
        reason: reasonOf(question),
        records: [toRecord(question.member), toRecord(question.other)],
        waiting: 1,
      });
  }
  return [...asked.values()];
}

/** Returns the open questions about a record and the others of its cluster: those that they wait for, and those about what they are. */
export async function questionsAbout(members: readonly [Member, ...Member[]], context: QuestionContext) {
  const rules = await mergeRulesOf(context);
  const keys = new Set(members.map(({ key }) => key));
  const found = new Map<string, string>();
  for await (const question of openQuestions(rules, context)) {
    const { about, member, other } = question;
    if (keys.has(member.key) || keys.has(other.key)) found.set(idOf(about), reasonOf(question));
  }
  const { cluster } = members[0];
  if (cluster !== undefined) {
    const published = (await context.ledger.members.published(context.sync.name, [cluster])).get(cluster);
    for (const question of questionsIn(members, published, rules, context))
      found.set(idOf(question.about), reasonOf(question));
  }
  return [...found].map(([id, reason]) => ({ id, reason }));
}

function reasonOf({ why, member, other }: EventQuestion): string {
  return REASONS[why].replace('PLACES', () => `“${placeOf(member.payload)}” and “${placeOf(other.payload)}”`);
}

/** Returns what people have said about events of a sync. */
export async function answersAboutEvents({ ledger, sync }: QuestionContext): Promise<GivenAnswer[]> {
  const answers = [...(await ledger.answers.allAnswers(sync.name))];
  const members = await ledger.members.membersBy(
    'key',
    sync.name,
    answers.flatMap(([about]) => sidesOf(about)),
  );
  const byKey = new Map(members.map((member) => [member.key, member]));
  return answers.map(([question, answer]) => {
    const [why = '', about = ''] = question.split(/: (.*)/s);
    const records = sidesOf(question).flatMap((key) => byKey.get(key) ?? []);
    return {
      ...{ id: idOf(question), why: why as GivenAnswer['why'], about, ...answer },
      ...(records.length === 2 && { records: records.map(toRecord) }),
    };
  });
}

/**
 * Stores answers; the next run acts on them.
 * @param ids also keys of records that are published as others, if these are different events
 * @throws CodedError FF_NOTHING_TO_DO if no open question has one of these ids, FF_ANSWER_CONTRADICTS other answers
 */
export async function answerAboutEvents(
  ids: readonly string[],
  answer: Omit<NewAnswer, 'about'>,
  context: QuestionContext,
): Promise<void> {
  const open = new Map<string, string>();
  const asked: EventQuestion[] = [];
  for await (const question of questionsOf(context)) {
    const id = idOf(question.about);
    open.set(id, question.about);
    if (ids.includes(id)) asked.push(question);
  }
  const others = ids.filter((id) => !open.has(id));
  const joined = answer.answer === 'distinct' && others.length > 0 ? await joinedAmong(others, context) : [];
  const unknown = others.find((id) => !joined.some(({ key }) => key === id));
  if (unknown !== undefined) refuse(unknown, 'an open question', context);
  const answers = ids.flatMap((id) => open.get(id) ?? []).map((about) => ({ ...answer, about }));
  const abouts = [
    ...answers.map(({ about }) => about),
    ...joined.map(({ key, from }) => apartAbout({ key }, { key: from })),
  ];
  const about = asked.flatMap(({ member, other }) => [member.eventHash, other.eventHash]);
  await refuseContradiction(new Map(abouts.map((each) => [each, answer.answer])), about, context);
  await context.ledger.answers.answer(context.sync.name, answers);
  await separateRecords(joined, answer, context);
}

/** @param hashes of the events that are asked about */
async function refuseContradiction(given: JoinRules['answers'], hashes: readonly string[], context: QuestionContext) {
  const { ledger, sync } = context;
  const before = await mergeRulesOf(context);
  const rules = { ...before, answers: new Map([...before.answers, ...given]) };
  const known = await ledger.members.membersBy('key', sync.name, [...rules.answers.keys()].flatMap(sidesOf));
  const events = [...new Set([...hashes, ...known.map(({ eventHash }) => eventHash)])];
  const others = contradicting(
    new Set(given.keys()),
    await ledger.members.membersBy('event_hash', sync.name, events),
    rules,
  );
  if (others === undefined) return;
  const rule = 'Events that are the same as a third one are the same.';
  const [first] = others;
  if (first === undefined) {
    throw new CodedError('FF_ANSWER_CONTRADICTS', `These answers about "${sync.name}" contradict each other: ${rule}`);
  }
  const named = others.map((about) => `${idOf(about)} (${rules.answers.get(about)})`).join(', ');
  const remedy =
    `\`feedferry questions ${sync.name} --take-back ${idOf(first)}\` takes the first of them back. Then answer what is open; ` +
    '`--answered` lists all answers.';
  throw new CodedError(
    'FF_ANSWER_CONTRADICTS',
    `This contradicts earlier answers about "${sync.name}": ${named}. ${rule}`,
    {
      remedy,
    },
  );
}

/** Those of the keys whose records are published as others. */
async function joinedAmong(keys: readonly string[], { ledger, sync }: QuestionContext): Promise<Separation[]> {
  const members = await ledger.members.membersBy('key', sync.name, keys);
  const sources = await ledger.members.sourcesOfClusters(sync.name, [
    ...new Set(members.flatMap(({ cluster = [] }) => cluster)),
  ]);
  return members.flatMap(({ key, cluster }) =>
    cluster === undefined || cluster === key || sources.get(cluster)?.size === 1 ? [] : [{ key, from: cluster }],
  );
}

/**
 * Takes answers back. Events that were published as one stay so until their sources change.
 * @throws CodedError FF_NOTHING_TO_DO if one of these questions was not answered
 */
export async function takeBackAboutEvents(ids: readonly string[], context: QuestionContext): Promise<void> {
  const { ledger, sync } = context;
  const given = new Map([...(await ledger.answers.allAnswers(sync.name)).keys()].map((about) => [idOf(about), about]));
  const abouts = ids.map((id) => given.get(id) ?? refuse(id, 'an answer', context));
  await ledger.answers.takeBack(sync.name, abouts);
}

async function* questionsOf(context: QuestionContext): AsyncGenerator<EventQuestion> {
  const rules = await mergeRulesOf(context);
  yield* openQuestions(rules, context);
  const { members } = context.ledger;
  for (let after = ''; ; ) {
    const clusters = await members.sharedClusters(context.sync.name, after, PAGE);
    const groups = Map.groupBy(
      await members.membersBy('cluster', context.sync.name, clusters),
      ({ cluster }) => cluster,
    );
    const published = await members.published(context.sync.name, clusters);
    for (const [cluster = '', [first, ...others]] of groups) {
      if (!first) continue;
      yield* questionsIn([first, ...others], published.get(cluster), rules, context);
    }
    if (clusters.length < PAGE) return;
    after = clusters.at(-1) ?? after;
  }
}

/** The questions about the members of a cluster: whether they still are the same event. One may follow when another one has moved. */
function* questionsIn(
  members: readonly [Member, ...Member[]],
  before: PublishedCluster | undefined,
  rules: JoinRules,
  { sync }: Pick<QuestionContext, 'sync'>,
): Generator<EventQuestion> {
  const withdrawal = withdrawalIn(members, rules);
  if (withdrawal && !rules.answers.has(withdrawal.about)) {
    const { about, member, publisher } = withdrawal;
    yield { about, why: 'withdrawn', member, other: publisher };
  }
  const { publisher, strays } = astrayIn(members, rules, publishedMember(members, before, rules));
  for (const stray of strays) {
    const { member, about } = stray;
    const isOpen = member.missedReadings === 0 && isAsked(member, missingRuleOf(sync, member.source));
    if (isOpen && !rules.answers.has(about)) yield { ...stray, other: publisher };
  }
}

function refuse(id: string, what: string, { sync }: QuestionContext): never {
  throw new CodedError('FF_NOTHING_TO_DO', `"${sync.name}" has no ${what.replace(/^an? /, '')} "${id}".`);
}

/** Returns the names of both sides of what an answer is about. */
export function sidesOf(about: string): string[] {
  return about.replace(/^\w+: /, '').split(' ~ ');
}

function idOf(about: string): string {
  return sha256(about).slice(0, 8);
}

function toRecord({ key, source, payload }: Member): AskedRecord {
  return { key, source, title: recordTitle(payload, 'events'), event: eventFacts(payload) };
}
