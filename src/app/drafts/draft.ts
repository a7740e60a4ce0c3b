import { dirname, join } from 'node:path';
import { connectors } from '../../../connectors/index.ts';
import type { Variables } from '../../config/files/interpolate.ts';
import { checkSyncText } from '../../config/load.ts';
import { syncOfSource } from '../../config/select.ts';
import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { DesiredRecord } from '../../core/record.ts';
import type { Corrections } from '../../inference/correct/corrections.ts';
import type { Proposal } from '../../inference/proposal.ts';
import { type Judgement, judgeSample } from '../../inference/review/judgement.ts';
import { type ProposalReview, reviewProposal } from '../../inference/review/review.ts';
import type { FeedSample } from '../../inference/sample.ts';
import { compileSyncMapping } from '../../source/compile-sync-mapping.ts';
import type { OpenSample } from '../../source/sample/sample-feed.ts';
import { type Judged, readHashOf, withoutDuplicates } from '../../sync/plan/duplicate-keys.ts';
import type { TestResult } from '../mapping-tests.ts';
import { testsText } from './draft-tests.ts';

/** A draft: the text of a sync file, and what it makes of a sample of its feed. */
export interface Draft extends ProposalReview {
  name: string;
  sample: FeedSample;
  proposal: Proposal;
  /** What a person has said about the proposal, or about the lines of the file. */
  said: Corrections;
  /** Absent if the sync would not be valid. */
  drafted?: DraftedSync;
  /** Why the sync would not be valid: no field can be the key, or a line is not possible. */
  mistake?: CodedError;
  /** Only of a sync that has a file. */
  written?: WrittenPart;
}

/** A draft whose files can be written. */
export type ReadyDraft = Draft & Required<Pick<Draft, 'drafted'>>;

/** A valid sync with its files, and what it makes of the sample. */
export interface DraftedSync {
  sync: SyncConfig;
  syncFile: NewFile;
  /** Absent if no record can be mapped, or if the sync has a file: its tests stay as they are. */
  testsFile?: NewFile | undefined;
  judgement: Judgement;
  /** The records of the sample that can be published. */
  desired: readonly DesiredRecord[];
}

/** A file to write. */
export interface NewFile {
  path: string;
  text: string;
}

/** What is known of a sync that has a file. */
export interface WrittenPart {
  /** The source whose lines are shown, and all sources, if the sync has several. */
  source?: string | undefined;
  sources: readonly string[];
  /** Fields that the sync reads and the feed does not have, with the unused field that has a similar name. */
  missing: ReadonlyArray<{ field: string; now?: string | undefined }>;
  /** Results of the mapping tests of the sync. */
  tests: readonly TestResult[];
}

/** A feed that was opened for a draft, and how the draft is made from what a person has said. */
export interface DraftOrigin {
  /** Address of the feed, or path of its file. */
  location: string;
  opened: OpenSample;
  /** The file of the sync as it was opened, if it has one. */
  before?: string;
  /** @param name absent: one is chosen. Throws a CodedError if the feed cannot be read in this way. */
  make(said: Corrections, signal: AbortSignal, name?: string): Promise<Draft>;
  /** Returns what is said if a field is read by another name. */
  renamed?(from: string, to: string): Corrections['lines'];
}

/** Where a sync is written, and what its file is checked with. */
export interface DraftPlace {
  /** The config folder. */
  dir: string;
  target: TargetConfig;
  variables: Variables;
}

/**
 * Makes a draft again with what a person says now. What makes the sync invalid is refused, unless it was invalid before.
 * @throws CodedError FF_USAGE for a correction that is not possible; ConfigError
 */
export async function sayAbout(
  origin: DraftOrigin,
  draft: Draft,
  said: Corrections,
  signal: AbortSignal,
): Promise<Draft> {
  const next = await origin.make(said, signal, draft.name);
  if (next.mistake && draft.drafted) throw next.mistake;
  return next;
}

/**
 * Returns a draft whose files can be written.
 * @throws CodedError FF_INIT_UNKNOWN if no field can be the key; ConfigError if the sync is not valid
 */
export function requireReady(draft: Draft): ReadyDraft {
  const { drafted, mistake } = draft;
  if (drafted === undefined) throw mistake ?? new Error(`The sync ${draft.name} has neither files nor a mistake.`);
  return { ...draft, drafted };
}

/**
 * Reviews a sync: its lines, the fields that are not used, and what it makes of the sample.
 * @param drafts writes the sync as a text, and checks it; throws a CodedError if it would not be valid
 */
export function reviewDraft(
  { sample, proposal, said, name }: Pick<Draft, 'sample' | 'proposal' | 'said' | 'name'>,
  drafts: () => DraftedSync,
): Draft {
  const { defaultMap } = connectors.find(({ kind }) => kind === sample.connector) ?? {};
  const piped = `Pipe the feed into each command: … | feedferry sync ${name}. Or set source.url in the sync file.`;
  const warnings = [...proposal.warnings, ...(sample.url === '-' ? [piped] : [])];
  try {
    const drafted = drafts();
    const { judgement } = drafted;
    const all = [...warnings, ...rejectionWarnings(judgement)];
    const review = reviewProposal(sample, proposal, defaultMap, judgement.first);
    return { sample, name, said, ...review, proposal: { ...proposal, warnings: all }, drafted };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const review = reviewProposal(sample, proposal, defaultMap);
    return { sample, name, said, ...review, proposal: { ...proposal, warnings }, mistake: error };
  }
}

/**
 * Checks the text of a sync file as `validate` does, and judges the records of the sample as a run would.
 * @param options.source the source whose records are in the sample, if the sync has several
 * @param options.hasTests whether mapping tests are written for the sync
 * @throws ConfigError if the sync is not valid
 */
export function draftText(
  path: string,
  text: string,
  sample: FeedSample,
  {
    target,
    variables,
    source,
    hasTests = false,
  }: Omit<DraftPlace, 'dir'> & { source?: string | undefined; hasTests?: boolean },
): DraftedSync {
  const sync = checkSyncText(path, text, connectors, target, variables);
  const map = compileSyncMapping(source === undefined ? sync : syncOfSource(sync, source), target, () => Date.now());
  const { records } = sample;
  const judged = records.map((record): Judged => ({ ...map(record), readHash: readHashOf(record) }));
  const { unique, rejected: rejections, repetitions } = withoutDuplicates(judged, []);
  const desired = unique.flatMap((each) => (each.is === 'desired' ? each.record : []));
  const judgement = judgeSample(sample, { desired, rejections, repeated: repetitions.size });
  const tests = hasTests ? testsText(sync, records, map) : undefined;
  const testsPath = join(dirname(dirname(path)), 'tests', `${sync.name}.yaml`);
  return {
    sync,
    syncFile: { path, text },
    judgement,
    desired,
    ...(tests && { testsFile: { path: testsPath, text: tests } }),
  };
}

function rejectionWarnings({ accepted, rejected, reasons: [first] }: Judgement): string[] {
  if (first === undefined) return [];
  return [`${rejected} of ${accepted + rejected} records would be rejected. First: ${first.at}: ${first.reason}`];
}
