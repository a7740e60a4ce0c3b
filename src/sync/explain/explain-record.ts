import { CodedError } from '../../core/errors.ts';
import type { DesiredRecord } from '../../core/record.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import type { Answer } from '../../ledger/answers/answers.ts';
import type { WaitingChange } from '../../ledger/plans/held-plans.ts';
import type { ItemAnswer } from '../../ledger/questions/questions.ts';
import type { RecordState } from '../../ledger/records/record-state.ts';
import { decide, planRecord } from '../compare/decide.ts';
import { differencesOf } from '../compare/differences.ts';
import { createFingerprinting, fingerprintsOf, withDelivered } from '../compare/file-fingerprints.ts';
import type { RunContext } from '../context/run-context.ts';
import { lookHash, lookOf } from '../identity/look.ts';
import { knownRecords } from '../plan/known-records.ts';
import { isReported, unmarked } from '../plan/missing-records.ts';
import { clusterOf, coveredVerdict, type EventMembers, mergeFound } from './explain-cluster.ts';
import { createRecordFinder, type RecordMatch } from './find-records.ts';
import { type SourceSearch, searchSources } from './search-sources.ts';
import { isShown, type RecordVerdict, type SourceFinding, verdictOn } from './verdict.ts';

const actions: Record<WaitingChange['op'], string> = {
  create: 'creates it',
  createAgain: 'creates it again',
  update: 'changes its item',
  delete: 'deletes its item',
  mark: 'marks its item as missing',
};

/** Verdicts whose next step a plan may hold back. */
const HELD_BACK: ReadonlyArray<RecordVerdict['is']> = ['absent', 'create', 'update'];

/** The history of one record, from the source to the CMS. */
export type Story = Awaited<ReturnType<typeof describeRecord>>;

/** The records that fit some words, if they are several. */
export interface RecordMatches {
  sync: string;
  words: string;
  matches: RecordMatch[];
}

/**
 * Explains a record: reads and maps the feed, reads the ledger, and judges as the next run would. Writes nothing.
 * @param words key of the record, or words that find it (see `createRecordFinder`); a record with exactly this key is preferred
 * @returns the records that fit, if they are several
 * @throws CodedError FF_RECORD_UNKNOWN if neither the feed nor the ledger has one
 */
export async function explainRecord(words: string, context: RunContext): Promise<Story | RecordMatches> {
  const { ledger, sync } = context;
  const state = await ledger.records.state(sync.name, words);
  const spans = isShown(state) || !sync.recurrence ? [] : await ledger.records.spans(sync.name);
  const span = spans.find(({ days }) => Object.hasOwn(days, words));
  if (span && span.key !== words) {
    const told = await explainRecord(span.key, context);
    if ('matches' in told) return told;
    return { ...told, verdict: { ...told.verdict, why: `"${words}" is a day of this event. ${told.verdict.why}` } };
  }
  const finder = createRecordFinder(words);
  const cluster = await clusterOf(words, context);
  const keys = new Set([words, ...(cluster?.members ?? []).map(({ key }) => key)]);
  const reading = { ...(await searchSources(keys, context, finder)), cluster };
  if (state || cluster || reading.source.found.length > 0) return describeRecord(words, reading, state, context);
  for await (const { key, payload, cmsId } of ledger.records.each(sync.name)) finder.add(key, payload, cmsId);
  const matches = finder.matches();
  const [match] = matches;
  if (matches.length > 1) return { sync: sync.name, words, matches };
  if (match) return explainRecord(match.key, context);
  if (reading.source.error) return describeRecord(words, reading, state, context);
  const similar = finder.similarKeys();
  const hint = similar.length > 0 ? `; similar keys: ${similar.join(', ')}` : '';
  throw new CodedError('FF_RECORD_UNKNOWN', `No record of "${sync.name}" fits "${words}"${hint}`);
}

async function describeRecord(
  key: string,
  { cluster, ...searched }: SourceSearch & { cluster: EventMembers | undefined },
  state: RecordState | undefined,
  context: RunContext,
) {
  const { ledger, sync, target } = context;
  const { source } = searched;
  const isCovered = cluster !== undefined && cluster.publishedAs !== key;
  const merged = cluster && !isCovered ? await mergeFound(key, searched, context) : undefined;
  const desired = merged ? merged.record : searched.desired.get(key);
  const judged = merged ? foundOf(merged.publisherKey, source) : source;
  const compared = desired && !isCovered ? await compare(desired, state, context) : undefined;
  const answer = desired && (await answerAbout(desired, context));
  const plan = compared && { ...compared.plan, ...(answer && { answer }) };
  return {
    sync: sync.name,
    key,
    title: recordTitle({ ...state?.known.payload, ...desired?.payload }, sync.resource),
    source,
    /** State of the record in the ledger; null: the ledger does not have the record. */
    record: state ? withoutContent(state) : null,
    /** Differences between the source and the last delivery. */
    differences: compared?.differences ?? [],
    verdict: isCovered
      ? coveredVerdict(cluster, { key, sync: sync.name })
      : waitingVerdict(
          verdictOn(judged, state, plan, {
            policy: sync.missing.policy,
            timezone: target.timezone,
            isReported: (as) => isReported(as, state?.known.payload ?? {}, context),
          }),
          await ledger.plans.waitingChange(sync.name, key),
        ),
    /** The records of several sources that are the same event. */
    ...(cluster && { event: cluster }),
    /** What a person has said about the record and the items that it looks like. */
    ...(answer && { answer }),
  };
}

/** What decides about a record of several sources: what the one that publishes it has, if it has it now. */
function foundOf(publisherKey: string | undefined, source: SourceFinding): SourceFinding {
  const found = source.found.filter(({ key }) => key === publisherKey);
  if (publisherKey === undefined || found.length > 0) return { ...source, found };
  return { ...source, found: source.found.slice(0, 1) };
}

/** What a person has said about a new record; about one that looks like an item, if it is still as it was then. */
async function answerAbout({ key, payload }: DesiredRecord, { ledger, sync }: RunContext) {
  const review = (await ledger.questions.answersAbout('review', sync.name, [key])).get(key);
  if (review?.answer === 'leave') return answerOf(review);
  const found = (await ledger.questions.answersAbout('item', sync.name, [key])).get(key);
  return found?.aboutHash === lookHash(lookOf(payload, sync.resource)) ? answerOf(found) : undefined;
}

function answerOf({ aboutHash: _, ...answer }: ItemAnswer): Answer {
  return answer;
}

function withoutContent({ known, ...record }: RecordState): Omit<RecordState, 'known'> {
  return record;
}

async function compare(
  { key, payload: mapped, attachments, password }: DesiredRecord,
  state: RecordState | undefined,
  context: RunContext,
) {
  const { authority, adopt } = context.sync;
  const known = state && (await knownRecords([{ key, payload: mapped }], context)).get(key);
  const payload = unmarked(mapped, known);
  const read = await createFingerprinting(context.attachments, context.signal, context.target)(attachments);
  const files = { attachments: withDelivered(read.attachments, known) };
  const fingerprints = fingerprintsOf(files.attachments, context.sync, known);
  const wanted = { key, payload, fingerprints, password };
  const { op } = decide(wanted, known, context);
  const { changed, retriesFiles } = planRecord(wanted, known, authority);
  const differing = planRecord(wanted, known).changed;
  const withheld = differing.filter((attribute) => !changed.includes(attribute));
  const delivered = known?.payload ?? null;
  return {
    plan: { op, changed, withheld, adopts: adopt !== undefined, retriesFiles },
    differences: differencesOf({ changed, payload, ...files, delivered }),
  };
}

/** What happens next with a record whose change is in a plan that waits for a decision: nothing before that. */
export function waitingVerdict(verdict: RecordVerdict, waiting: WaitingChange | undefined): RecordVerdict {
  if (!waiting || !HELD_BACK.includes(verdict.is)) return verdict;
  const { run, op } = waiting;
  const next = `A plan that ${actions[op]} waits for a decision. To apply it: \`feedferry approve ${run}\`.`;
  return { ...verdict, next };
}
