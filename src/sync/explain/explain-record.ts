import { CodedError, errorTable } from '../../core/errors.ts';
import type { DesiredRecord, Mapped } from '../../core/record.ts';
import type { RecordState } from '../../ledger/records/record-state.ts';
import { decide, planRecord } from '../compare/decide.ts';
import { type Difference, differencesOf, fileName } from '../compare/differences.ts';
import { createFingerprinting, fingerprintsOf } from '../compare/file-fingerprints.ts';
import type { RunContext } from '../context/run-context.ts';
import { keyOf } from '../plan/duplicate-keys.ts';
import { unmarked } from '../plan/missing-records.ts';
import { type Redaction, redactionOf } from '../plan/redact.ts';
import type { FoundRecord, SourceFinding, Story } from './story.ts';
import { type PlannedRecord, verdictOn } from './verdict.ts';

/**
 * Explains a record: reads and maps the feed, reads the ledger, and judges as the next run would. Writes nothing.
 * @throws CodedError FF_RECORD_UNKNOWN for a key that neither the feed nor the ledger has
 */
export async function explainRecord(key: string, context: RunContext): Promise<Story> {
  const { ledger, sync } = context;
  const { source, desired, alike } = await search(key, context);
  const state = await ledger.records.state(sync.name, key);
  if (source.found.length === 0 && !state && !source.error) throw unknown(key, sync.name, alike);
  const compared = desired && (await compare(desired, state, context));
  return {
    sync: sync.name,
    key,
    source,
    record: state ? withoutContent(state) : null,
    differences: compared?.differences ?? [],
    verdict: verdictOn(source, state, compared?.plan, sync.missing.policy, context.target.timezone),
    history: await ledger.history.attempts(sync.name, key),
  };
}

function withoutContent({ known, ...record }: RecordState): Omit<RecordState, 'known'> {
  return record;
}

interface Search {
  source: SourceFinding;
  /** The record, if there is exactly one and it can be delivered. */
  desired?: DesiredRecord;
  /** A key that differs from the requested one by case or blanks only. */
  alike?: string;
}

/** Reads the whole feed: a second record with the same key may be at its end. */
async function search(key: string, { sync, readSource, signal }: RunContext): Promise<Search> {
  const reading = readSource({ signal });
  const redaction = redactionOf(sync);
  const found: FoundRecord[] = [];
  let desired: DesiredRecord | undefined;
  let alike: string | undefined;
  let error: CodedError | undefined;
  try {
    for await (const mapped of reading.records) {
      const itsKey = keyOf(mapped);
      if (itsKey === key) {
        found.push(toFound(mapped, redaction));
        desired = mapped.is === 'desired' && found.length === 1 ? mapped.record : undefined;
      } else if (itsKey !== undefined && fold(itsKey) === fold(key)) alike ??= itsKey;
    }
  } catch (thrown) {
    if (!(thrown instanceof CodedError) || thrown.code === 'FF_BUG') throw thrown;
    error = thrown;
  }
  const { location, complete, reason } = reading.receipt();
  return {
    source: {
      location,
      complete: complete && !error,
      ...(reason ? { reason } : {}),
      ...(error ? { error: { code: error.code, reason: error.message } } : {}),
      found,
    },
    ...(desired ? { desired } : {}),
    ...(alike === undefined ? {} : { alike }),
  };
}

function fold(key: string): string {
  return key.trim().normalize('NFC').toLowerCase();
}

function toFound(mapped: Mapped, redaction: Redaction): FoundRecord {
  if (mapped.is === 'rejected') {
    const { at, code, reason, fields } = redaction.rejection(mapped.rejection);
    return { at, is: 'rejected', code, reason, remedy: errorTable[code].remedy, ...(fields ? { fields } : {}) };
  }
  const password = mapped.is === 'desired' ? mapped.record.password : undefined;
  const fields = mapped.fields ? { fields: redaction.fields(mapped.fields, password) } : {};
  if (mapped.is === 'skipped') return { at: mapped.at, is: 'skipped', reason: mapped.reason, ...fields };
  const { at, payload, attachments } = mapped.record;
  const files = attachments.map(({ attribute, source }) => ({ attribute, name: fileName(source) }));
  return { at, is: 'desired', payload, files, warnings: mapped.warnings.map(({ message }) => message), ...fields };
}

async function compare(
  { key, payload: mapped, attachments, password }: DesiredRecord,
  state: RecordState | undefined,
  context: RunContext,
): Promise<{ plan: PlannedRecord; differences: Difference[] }> {
  const { authority, adopt } = context.sync;
  const payload = unmarked(mapped, state?.known);
  const files = await createFingerprinting(context.attachments, context.signal)(attachments);
  const fingerprints = fingerprintsOf(files.attachments, context.sync);
  const wanted = { key, payload, fingerprints, ...(password === undefined ? {} : { password }) };
  const { op } = decide(wanted, state?.known, context);
  const allowed = planRecord(wanted, state?.known, authority);
  const differing = planRecord(wanted, state?.known).changed;
  const withheld = differing.filter((attribute) => !allowed.changed.some((name) => name === attribute));
  const plan = { op, changed: allowed.changed, withheld, adopts: adopt !== undefined };
  const delivered = state?.known.payload ?? null;
  return { plan, differences: differencesOf({ changed: plan.changed, payload, ...files, delivered }) };
}

function unknown(key: string, sync: string, alike: string | undefined): CodedError {
  const hint = alike === undefined ? '' : `; did you mean "${alike}"?`;
  return new CodedError('FF_RECORD_UNKNOWN', `No record of "${sync}" has the key "${key}"${hint}`);
}
