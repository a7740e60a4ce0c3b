import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { connectors } from '../../../connectors/index.ts';
import type { Variables } from '../../config/files/interpolate.ts';
import { checkSyncText } from '../../config/load.ts';
import { syncOfSource } from '../../config/select.ts';
import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { DesiredRecord, Rejection, SourceRecord } from '../../core/record.ts';
import type { Proposal } from '../../inference/proposal.ts';
import { literal, syncFileText } from '../../inference/sync-file.ts';
import type { Mapping } from '../../mapping/compile.ts';
import { compileSyncMapping } from '../../source/compile-sync-mapping.ts';
import { type Judged, readHashOf, withoutDuplicates } from '../../sync/plan/duplicate-keys.ts';
import { testsText } from './draft-tests.ts';
import { isServerAddress } from './feed-access.ts';

const SHOWN_FIELDS = 20;

/** A sync whose files are not written yet, with the records that it maps from a sample. */
export interface DraftSync {
  sync: SyncConfig;
  syncFile: { path: string; text: string };
  /** Absent if no record can be mapped. */
  testsFile?: { path: string; text: string };
  /** The records of the sample as the site would receive them. */
  desired: DesiredRecord[];
  rejections: Rejection[];
  /** Number of records that repeat another one. */
  repeated: number;
}

/** Where a sync is written, and what its file is checked with. */
export interface NewSyncPlace {
  name: string;
  /** The config folder. */
  dir: string;
  target: TargetConfig;
  variables: Variables;
}

/**
 * Writes the files of a proposed sync as texts, checks them as `validate` does, and maps the sample with them.
 * @param location absolute path or address of the feed, or `-`
 * @throws CodedError FF_INIT_UNKNOWN if no field can be the key; ConfigError if the sync is not valid
 */
export async function draftSync(
  proposal: Proposal,
  records: readonly SourceRecord[],
  { name, dir, location, target, variables }: { location: string } & NewSyncPlace,
): Promise<DraftSync> {
  if (proposal.key.value.length === 0) throw unknownFeed(records, location);
  const path = join(dir, 'syncs', `${name}.yaml`);
  const hint = location === '-' ? `pipe the feed into the command: … | feedferry sync ${name}` : '';
  const text = syncFileText(proposal, urlIn(path, location), hint);
  const { map, ...draft } = draftFile(path, text, records, { target, variables });
  const tests = testsText(draft.sync, records, map);
  return {
    ...draft,
    testsFile: tests === undefined ? undefined : { path: join(dir, 'tests', `${name}.yaml`), text: tests },
  };
}

/**
 * Checks the text of a sync file as `validate` does, and maps the sample with it.
 * @param source the source whose records are in the sample, if the sync has several
 * @throws ConfigError if the sync is not valid
 */
export function draftFile(
  path: string,
  text: string,
  records: readonly SourceRecord[],
  { target, variables, source }: Pick<NewSyncPlace, 'target' | 'variables'> & { source?: string | undefined },
): Omit<DraftSync, 'testsFile'> & { map: Mapping } {
  const sync = checkSyncText(path, text, connectors, target, variables);
  const mapped = source === undefined ? sync : syncOfSource(sync, source);
  const map = compileSyncMapping(mapped, target, () => Date.now());
  return { sync, syncFile: { path, text }, ...judgeAll(records, map), map };
}

function unknownFeed(records: readonly SourceRecord[], location: string): CodedError {
  const feed = location === '-' ? 'Standard input' : location;
  if (records.length === 0) return new CodedError('FF_INIT_UNKNOWN', `${feed} has no records.`);
  const names = new Set(records.slice(0, SHOWN_FIELDS).flatMap(({ fields }) => Object.keys(fields)));
  const shown = [...names].slice(0, SHOWN_FIELDS).map((name) => name.slice(0, 60));
  const message = `No field of ${feed} is known as a title, a date, a name or an e-mail address. Its fields are ${shown.join(', ')}.`;
  return new CodedError('FF_INIT_UNKNOWN', message);
}

/** Returns the location as it is written in a file: paths are relative to the folder of the file, and have no variables. */
function urlIn(file: string, location: string): string {
  if (isServerAddress(location)) return location;
  return String(literal(isAbsolute(location) ? relativePath(file, location) : location));
}

function relativePath(file: string, location: string): string {
  const path = relative(dirname(resolve(file)), location)
    .split(sep)
    .join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Judges the records as a run would. */
function judgeAll(records: readonly SourceRecord[], map: Mapping) {
  const judged = records.map((record): Judged => ({ ...map(record), readHash: readHashOf(record) }));
  const { unique, rejected, repetitions } = withoutDuplicates(judged, []);
  const desired = unique.flatMap((each) => (each.is === 'desired' ? each.record : []));
  return { desired, rejections: rejected, repeated: repetitions.size };
}
