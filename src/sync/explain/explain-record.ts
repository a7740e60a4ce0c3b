import { CodedError, errorTable } from '../../core/errors.ts';
import type { DesiredRecord, Mapped } from '../../core/record.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import type { RecordState } from '../../ledger/records/record-state.ts';
import { decide, planRecord } from '../compare/decide.ts';
import { differencesOf, fileAddress, fileName } from '../compare/differences.ts';
import { createFingerprinting, fingerprintsOf, withDelivered } from '../compare/file-fingerprints.ts';
import type { RunContext } from '../context/run-context.ts';
import { lookHash, lookOf } from '../identity/look.ts';
import { keyOf, readHashOf } from '../plan/duplicate-keys.ts';
import { knownRecords } from '../plan/known-records.ts';
import { unmarked } from '../plan/missing-records.ts';
import { type Redaction, redactionOf } from '../plan/redact.ts';
import { createRecordFinder, type RecordFinder, type RecordMatch } from './find-records.ts';
import { type FoundRecord, type SourceFinding, verdictOn } from './verdict.ts';
import { waitingVerdict } from './waiting-verdict.ts';

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
  const finder = createRecordFinder(words);
  const reading = await search(words, context, finder);
  if (state || reading.source.found.length > 0) return describeRecord(words, reading, state, context);
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
  { source, desired }: Awaited<ReturnType<typeof search>>,
  state: RecordState | undefined,
  context: RunContext,
) {
  const { ledger, sync, target } = context;
  const compared = desired && (await compare(desired, state, context));
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
    verdict: waitingVerdict(
      verdictOn(source, state, plan, sync.missing.policy, target.timezone),
      await ledger.plans.waitingChange(sync.name, key),
    ),
    /** What a person has said about the record and the items that it looks like. */
    ...(answer && { answer }),
    /** Attempts to deliver it, newest first. */
    history: await ledger.history.attempts(sync.name, key),
  };
}

/** The answer of a person, if the record is still as it was then. */
async function answerAbout({ key, payload }: DesiredRecord, { ledger, sync }: RunContext) {
  const found = (await ledger.answers.answersTo(sync.name, 'alike', [key])).get(key);
  if (found?.aboutHash !== lookHash(lookOf(payload, sync.resource))) return undefined;
  const { aboutHash: _, ...answer } = found;
  return answer;
}

function withoutContent({ known, ...record }: RecordState): Omit<RecordState, 'known'> {
  return record;
}

/**
 * Reads the whole feed: a second record with the same key may be at its end.
 * @param finder gets all records
 * @returns `desired`: the record with the key, if there is exactly one and it can be delivered
 */
async function search(key: string, { sync, readSource, signal }: RunContext, finder: RecordFinder) {
  const reading = readSource({ signal });
  const redaction = redactionOf(sync);
  const found: FoundRecord[] = [];
  /** Identical records count as one. */
  const hashes = new Set<string>();
  let desired: DesiredRecord | undefined;
  let error: CodedError | undefined;
  try {
    for await (const record of reading.unmappedRecords) {
      const mapped = await record.map();
      const itsKey = keyOf(mapped);
      if (itsKey === undefined) continue;
      if (itsKey === key) {
        const hash = readHashOf(record);
        if (hash !== undefined && hashes.has(hash)) continue;
        if (hash !== undefined) hashes.add(hash);
        found.push(toFound(mapped, redaction));
        desired = mapped.is === 'desired' && found.length === 1 ? mapped.record : undefined;
      } else {
        finder.add(itsKey, mapped.is === 'desired' ? mapped.record.payload : (toFound(mapped, redaction).fields ?? {}));
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof CodedError) || thrown.code === 'FF_BUG') throw thrown;
    error = thrown;
  }
  const { location, complete, reason } = reading.receipt();
  const source: SourceFinding = {
    location,
    complete: complete && !error,
    reason,
    error: error && { code: error.code, reason: error.message },
    found,
  };
  return { source, desired };
}

function toFound(mapped: Mapped, redaction: Redaction): FoundRecord {
  if (mapped.is === 'rejected') {
    const { at, code, reason, fields } = redaction.rejection(mapped.rejection);
    return { at, is: 'rejected', code, reason, remedy: errorTable[code].remedy, fields };
  }
  const password = mapped.is === 'desired' ? mapped.record.password : undefined;
  const fields = mapped.fields && redaction.fields(mapped.fields, password);
  if (mapped.is === 'skipped') return { at: mapped.at, is: 'skipped', reason: mapped.reason, fields };
  const { at, payload, attachments } = mapped.record;
  const files = attachments.map(({ attribute, source }) => {
    const address = fileAddress(source);
    return { attribute, name: fileName(source), ...(address !== undefined && { address }) };
  });
  return { at, is: 'desired', payload, files, warnings: mapped.warnings.map(({ message }) => message), fields };
}

async function compare(
  { key, payload: mapped, attachments, password }: DesiredRecord,
  state: RecordState | undefined,
  context: RunContext,
) {
  const { authority, adopt } = context.sync;
  const known = state && (await knownRecords([{ key, payload: mapped }], context)).get(key);
  const payload = unmarked(mapped, known);
  const read = await createFingerprinting(context.attachments, context.signal)(attachments);
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
