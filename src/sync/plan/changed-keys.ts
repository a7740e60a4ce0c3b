import { clockAt } from '../../core/dates/iso-date.ts';
import { UNKNOWN, type Warning } from '../../core/record.ts';
import type { StagedCreate } from '../../ledger/plans/adoptions.ts';
import type { LedgerRecord } from '../../ledger/plans/changed-keys.ts';
import type { PlanTotals } from '../../ledger/plans/staged-plan.ts';
import type { SamenessQuestion, StagedQuestion } from '../../ledger/questions/questions.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { filterAttributes } from '../items/values.ts';
import { judgeSameness } from '../sameness/judge-sameness.ts';
import { type Grade, unlinked } from '../sameness/recognise.ts';
import type { Known, Said } from '../sameness/things.ts';
import { asHeld, asNew, type KnownUnderKey, underNewKey, underPassedKey, withoutKey } from './rekeyed-rows.ts';

/** Result of comparing the records of a reading with those that the ledger has. */
export const noChurn = {
  /** Records in the CMS that were recognised under a new key, and keep their CMS id. */
  relinked: 0,
  /** Occurrences in the CMS whose series has changed. They keep their CMS ids, too. */
  rescheduled: 0,
  /** Records whose keys were those of others, and that keep their CMS ids. */
  passedOn: 0,
  /** Records that have lost their keys to other ones, and whose items were deleted: the feed does not have them. */
  leftDeleted: 0,
  /** New records that are not recognised, and about which nobody is asked. */
  fresh: 0,
};
export type Churn = typeof noChurn;

/** The grades that recognise occurrences of a series that has changed. */
const SERIES: ReadonlySet<Grade | undefined> = new Set<Grade>(['hours', 'day', 'shownDay', 'shift']);

interface Reading {
  totals: PlanTotals;
  /** Whether the records that it lacks have left the source. */
  isWhole: boolean;
  /** Keys of the staged updates that change what names their records. */
  renamed: readonly string[];
  /** Of several sources, each was compared with itself: key of a record that may be a known one → key of that one. */
  asked: ReadonlyMap<string, string> | undefined;
  /** Key of a record → key of the one whose item it takes over, because an event spans days or no longer does. */
  takenOver: ReadonlyMap<string, string> | undefined;
}

/**
 * Judges which of the staged records the ledger has under other keys, and which have only the keys of records that it has. Plans the
 * updates of recognised records under their new keys, and holds those about which a person has to be asked.
 */
export async function judgeKeys(run: string, reading: Reading, context: DeliveryContext): Promise<Churn> {
  const { ledger, sync } = context;
  const { plans } = ledger;
  const { totals, isWhole, renamed, asked: askedBefore, takenOver = [] } = reading;
  if (totals.creates + renamed.length === 0) return noChurn;
  const held = askedBefore ? await holdAsked(run, askedBefore, context) : 0;
  const areRecognised = askedBefore !== undefined;
  if (areRecognised && renamed.length === 0) return { ...noChurn, fresh: totals.creates - held };
  const gone = await plans.recordsNotRead(run, sync.name, { isWhole });
  if (gone.length + renamed.length === 0) return noChurn;
  const fresh = await plans.newRecords(run, sync.name);
  const things = { gone: gone.map(toGone), fresh, kept: await keptRecords(run, renamed, context) };
  const changed = new Set(things.gone.flatMap(({ occurrence }) => occurrence?.series ?? []));
  const mayShift = fresh.some(({ occurrence }) => occurrence && changed.has(occurrence.series));
  const known = knownTo(context, await ledger.questions.answered(sync.name), { isWhole, total: totals.counts.read });
  const verdicts = judgeSameness(things, {
    ...known,
    answers: new Map([...known.answers, ...[...takenOver].map(sameAs)]),
    areRecognised,
    kept: mayShift ? await plans.occurrencesRead(run, sync.name) : [],
  });
  await stageVerdicts(run, verdicts, context);
  const { links, passed, released, asked } = verdicts;
  const recognised = links.filter(({ old }) => isThere(old));
  const bySeries = recognised.filter(({ grade }) => SERIES.has(grade));
  const left = unlinked(things, [...links, ...passed, ...asked]);
  return {
    relinked: recognised.length - bySeries.length,
    rescheduled: bySeries.length,
    passedOn: passed.length,
    leftDeleted: released.filter(({ deleted }) => deleted).length,
    fresh: left.fresh.length,
  };
}

/** What is certain is like an answer of a person. */
function sameAs([key, other]: [string, string]): [string, Map<string, Said>] {
  return [key, new Map([[other, { answer: 'same', aboutHash: '' }]])];
}

/** Holds the records of several sources about which a person is asked. Returns how many. */
async function holdAsked(run: string, asked: ReadonlyMap<string, string>, { ledger, sync }: DeliveryContext) {
  if (asked.size === 0) return 0;
  const known = await ledger.plans.recordsNamed(sync.name, [...asked.values()]);
  const olds = new Map(known.map((each) => [each.key, toGone(each)]));
  const held = (await ledger.plans.newRecords(run, sync.name)).flatMap((found) => {
    const old = olds.get(asked.get(found.key) ?? '');
    return old ? [asHeld({ is: 'changed', old, found, aboutHash: '' }, sync)] : [];
  });
  await ledger.plans.restage(run, held);
  return held.length;
}

/** What the judgement needs to know besides the records. */
function knownTo(
  { sync, target, runtime }: DeliveryContext,
  questions: readonly SamenessQuestion[],
  { isWhole, total }: Pick<Known, 'isWhole' | 'total'>,
): Known {
  return {
    answers: answersByKey(questions),
    total,
    isWhole,
    areRecognised: false,
    showsKeys: target.externalId !== undefined,
    kept: [],
    now: clockAt(runtime.now(), target.timezone),
    constants: new Set(Object.keys(sync.map ?? {}).filter((attribute) => sync.map?.[attribute]?.value !== undefined)),
  };
}

/** Stages what follows from the verdicts. Returns the keys of records that have lost theirs. */
async function stageVerdicts(
  run: string,
  { links, passed, created, released, asked }: ReturnType<typeof judgeSameness<KnownUnderKey, StagedCreate>>,
  context: DeliveryContext,
): Promise<string[]> {
  const { plans } = context.ledger;
  await plans.restage(run, [
    ...links.map(({ old, found }) => underNewKey(found, old, context)),
    ...passed.map(({ old, found }) => underPassedKey(found, old, context)),
    ...created.map((found) => asNew(found, context)),
    ...asked.map((question) => asHeld(question, context.sync)),
  ]);
  const rows = released.map((old) => withoutKey(run, old, context));
  await plans.add(rows);
  return rows.map(({ key }) => key);
}

/** What a run reports about records that it has recognised. */
export function describeChurn({ relinked, rescheduled, passedOn }: Churn): Warning[] {
  const records = (count: number, one: string) => (count === 1 ? `1 ${one}` : `${count} ${one}s`);
  const messages = [
    relinked > 0 && `${records(relinked, 'record')} recognised under a new key`,
    rescheduled > 0 && `${records(rescheduled, 'occurrence')} recognised in a changed series, with another key`,
    passedOn > 0 &&
      `${records(passedOn, 'record')} recognised under a key that was that of another one: the keys may be positions`,
  ];
  return messages.flatMap((message) => (message ? [{ at: 'feed', message }] : []));
}

/**
 * Does what people have answered about the staged records of a retry, which were held for it. Those that nobody has answered about stay
 * held.
 * @param named keys of the records that are retried; absent: all
 * @returns the keys of the records that have lost theirs
 */
export async function applyAnswers(
  run: string,
  named: readonly string[] | undefined,
  context: DeliveryContext,
): Promise<string[]> {
  const { ledger, sync } = context;
  const { plans } = ledger;
  const all = await ledger.questions.staged(run, sync.name);
  const asked = named ? all.filter(({ key }) => named.includes(key)) : all;
  const { key: questions = [], review = [] } = Object.groupBy(asked, ({ kind }) => kind);
  const unpublished = review.filter(({ answer }) => answer !== 'publish');
  const isLeft = ({ answer, isNew }: (typeof review)[number]) => answer === 'leave' && isNew;
  await plans.skip(
    run,
    unpublished.filter(isLeft).map(({ key }) => key),
  );
  await plans.restage(run, unpublished.filter((question) => !isLeft(question)).map(toHeldAgain));
  if (questions.length === 0) return [];
  const answered = questions.filter(({ answer }) => answer !== undefined);
  const open = questions.filter(({ answer }) => answer === undefined);
  const reused = answered.filter(({ key, other }) => key === other);
  const changed = answered.filter(({ key, other }) => key !== other);
  const others = changed.map(({ other }) => other);
  const comers = new Set(changed.map(({ key }) => key));
  const things = {
    gone: (await plans.recordsNamed(sync.name, others)).map(toGone),
    fresh: (await plans.newRecords(run, sync.name)).filter(({ key }) => comers.has(key)),
    kept: await keptRecords(
      run,
      reused.map(({ key }) => key),
      context,
    ),
  };
  const verdicts = judgeSameness(things, knownTo(context, answered, { isWhole: false, total: 0 }));
  // Two new records cannot both be the same one: the next reading asks again about the second.
  const linked = new Set(verdicts.links.map(({ found }) => found.key));
  const known = new Set(things.gone.map(({ key }) => key));
  const left = changed.filter(({ key, other, answer }) => answer === 'same' && known.has(other) && !linked.has(key));
  const held = [...open, ...left].map(toHeldAgain);
  await plans.restage(run, held);
  return stageVerdicts(run, verdicts, context);
}

function toHeldAgain({ key, asks }: StagedQuestion) {
  return { key, op: 'held' as const, ...asks };
}

function toGone(known: LedgerRecord): KnownUnderKey {
  return { ...known, known, payload: known.content };
}

function isThere({ cmsId, deleted }: KnownUnderKey): boolean {
  return cmsId !== null && !deleted;
}

/** The staged updates of these keys, beside what the ledger has under them. */
async function keptRecords(run: string, keys: readonly string[], { ledger, sync }: DeliveryContext) {
  if (keys.length === 0) return [];
  const olds = new Map((await ledger.plans.recordsNamed(sync.name, keys)).map((known) => [known.key, toKept(known)]));
  return (await ledger.plans.updatesOf(run, keys)).flatMap((found) => {
    const old = olds.get(found.key);
    return old ? [{ old, found }] : [];
  });
}

/** What the CMS has of a record: what the source had last may already be that of another thing. */
function toKept(known: LedgerRecord): KnownUnderKey {
  const shown = filterAttributes(known.payload ?? {}, (_, value) => value !== UNKNOWN);
  return { ...known, known, payload: { ...known.content, ...shown } };
}

/** What people have said, by the key of a record that waited, and then that of the one that it may be. */
export function answersByKey(questions: readonly SamenessQuestion[]): Map<string, Map<string, Said>> {
  const answers = new Map<string, Map<string, Said>>();
  for (const { key, other, aboutHash, answer } of questions) {
    if (answer !== 'same' && answer !== 'distinct') continue;
    const given = answers.get(key) ?? new Map<string, Said>();
    answers.set(key, given.set(other, { answer, aboutHash }));
  }
  return answers;
}
