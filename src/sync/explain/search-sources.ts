import { CodedError, errorTable } from '../../core/errors.ts';
import type { DesiredRecord, Mapped } from '../../core/record.ts';
import { fileAddress, fileName } from '../compare/differences.ts';
import type { RunContext } from '../context/run-context.ts';
import { keyOf, readHashOf } from '../plan/duplicate-keys.ts';
import { movedOut } from '../plan/map-changed.ts';
import { type Redaction, redactionOf } from '../plan/redact.ts';
import { foldReading } from '../spans/fold-reading.ts';
import type { RecordFinder } from './find-records.ts';
import type { FoundRecord, SourceFinding } from './verdict.ts';

/** What the feeds have for some keys now. */
export interface SourceSearch {
  source: SourceFinding;
  /** The records that occur once, and can be delivered. */
  desired: Map<string, DesiredRecord>;
  /** Keys of the records that their source has cancelled, or made private. */
  withdrawn: Set<string>;
}

/**
 * Reads the whole feed, or all feeds: a second record with the same key may be at the end.
 * @param finder gets all other records
 */
export async function searchSources(
  keys: ReadonlySet<string>,
  context: RunContext,
  finder: RecordFinder,
): Promise<SourceSearch> {
  const { sources } = context.sync;
  const [first = await searchSource(keys, context, finder), ...others] = await Promise.all(
    (sources ?? []).map(({ name }) => searchSource(keys, context, finder, name)),
  );
  const all = [first, ...others];
  if (others.length === 0) return first;
  const errors = all.flatMap(({ source: { error } }) => error ?? []);
  const incomplete = all.find(({ source: { complete } }) => !complete)?.source;
  const reason = incomplete?.reason ?? incomplete?.error?.reason;
  return {
    source: {
      location: all.map(({ source: { location } }) => location).join(', '),
      complete: incomplete === undefined,
      ...(reason !== undefined && { reason }),
      ...(errors.length === all.length && errors[0] && { error: errors[0] }),
      found: all.flatMap(({ source: { found } }) => found),
    },
    desired: new Map(all.flatMap(({ desired }) => [...desired])),
    withdrawn: new Set(all.flatMap(({ withdrawn }) => [...withdrawn])),
  };
}

async function searchSource(
  keys: ReadonlySet<string>,
  context: RunContext,
  finder: RecordFinder,
  name?: string,
): Promise<SourceSearch> {
  const { sync, readSource, signal } = context;
  const one = readSource({ signal, includesWithdrawn: true, ...(name !== undefined && { source: name }) });
  const reading = sync.recurrence ? foldReading(one, context) : one;
  const redaction = redactionOf(sync.sources?.find((source) => source.name === name)?.sync ?? sync);
  const found: FoundRecord[] = [];
  /** Identical records count as one. */
  const hashes = new Set<string>();
  const desired = new Map<string, DesiredRecord>();
  const withdrawn = new Set<string>();
  let error: CodedError | undefined;
  try {
    for await (const record of reading.unmappedRecords) {
      let mapped = await record.map();
      const key = keyOf(mapped);
      if (key === undefined) continue;
      if (keys.has(key) && record.withdrawn?.as === 'replaced') withdrawn.add(key);
      else if (keys.has(key)) {
        mapped = (await movedOut([mapped], context)).get(key) ?? mapped;
        const hash = readHashOf(record);
        if (hash !== undefined && hashes.has(hash)) continue;
        if (hash !== undefined) hashes.add(hash);
        const isFirst = found.every((other) => other.key !== key);
        const said = record.withdrawn?.as;
        const entry = toFound(mapped, redaction, { key, name });
        found.push(said ? { ...entry, is: 'skipped', reason: `it is ${said} in the feed`, withdrawn: said } : entry);
        if (record.withdrawn) withdrawn.add(key);
        if (isFirst && mapped.is === 'desired' && (name !== undefined || !record.withdrawn))
          desired.set(key, mapped.record);
        else desired.delete(key);
      } else {
        finder.add(key, mapped.is === 'desired' ? mapped.record.payload : (toFound(mapped, redaction).fields ?? {}));
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof CodedError) || thrown.code === 'FF_BUG') throw thrown;
    error = thrown;
  }
  for (const [key, reason] of reading.spans?.replaced ?? []) {
    if (!keys.has(key)) continue;
    found.push({ key, at: 'feed', is: 'skipped', reason, ...(withdrawn.has(key) && { withdrawn: 'replaced' }) });
  }
  const { location, complete, reason } = reading.receipt();
  const source: SourceFinding = {
    location,
    complete: complete && !error,
    reason,
    error: error && { code: error.code, reason: error.message },
    found,
  };
  return { source, desired, withdrawn };
}

/** @param of the key, if it is asked for, and the source, if there are several */
function toFound(
  mapped: Mapped,
  redaction: Redaction,
  of: { key?: string; name?: string | undefined } = {},
): FoundRecord {
  const placeIn = (at: string) => (of.name === undefined ? at : `${of.name}, ${at}`);
  const { key = '' } = of;
  if (mapped.is === 'rejected') {
    const { at, code, reason, fields } = redaction.rejection(mapped.rejection);
    return { key, at: placeIn(at), is: 'rejected', code, reason, remedy: errorTable[code].remedy, fields };
  }
  const password = mapped.is === 'desired' ? mapped.record.password : undefined;
  const fields = mapped.fields && redaction.fields(mapped.fields, password);
  if (mapped.is === 'skipped') return { key, at: placeIn(mapped.at), is: 'skipped', reason: mapped.reason, fields };
  const { at, payload, attachments } = mapped.record;
  const files = attachments.map(({ attribute, source }) => {
    const address = fileAddress(source);
    return { attribute, name: fileName(source), ...(address !== undefined && { address }) };
  });
  const warnings = mapped.warnings.map(({ message }) => message);
  return { key, at: placeIn(at), is: 'desired', payload, files, warnings, fields };
}
