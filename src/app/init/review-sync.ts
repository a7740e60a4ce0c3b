import { connectors } from '../../../connectors/index.ts';
import { CodedError } from '../../core/errors.ts';
import { type Judgement, judgeSample } from '../../inference/review/judgement.ts';
import { type ProposalReview, reviewProposal } from '../../inference/review/review.ts';
import { type DraftSync, draftSync, type NewSyncPlace } from './draft-sync.ts';
import type { ProposedSync } from './propose-sync.ts';

/** A proposed sync as people see it before its files are written. */
export interface ReviewedSync extends ProposedSync, ProposalReview {
  name: string;
  /** The files, and what they make of the sample; absent if they would not be valid. */
  drafted?: { draft: DraftSync; judgement: Judgement };
  /** Why there are no files yet: no field can be the key, or a line is not valid. */
  mistake?: CodedError;
}

/** A reviewed sync whose files can be written. */
export type ReadySync = ReviewedSync & Required<Pick<ReviewedSync, 'drafted'>>;

/** Drafts the files of a proposed sync, maps the sample with them, and lists the lines and the fields that are not used. */
export function reviewSync(proposed: ProposedSync, place: NewSyncPlace): Promise<ReviewedSync> {
  const { sample, proposal } = proposed;
  return reviewDraft(proposed, place.name, () =>
    draftSync(proposal, sample.records, { ...place, location: sample.url }),
  );
}

/**
 * Lists the lines of a sync and the fields that are not used, with what the sync makes of the sample.
 * @param drafts drafts the files of the sync, and throws a CodedError if they would not be valid
 */
export async function reviewDraft(
  { sample, proposal }: ProposedSync,
  name: string,
  drafts: () => Promise<DraftSync>,
): Promise<ReviewedSync> {
  const connector = connectors.find(({ kind }) => kind === sample.connector);
  const review = { sample, name, ...reviewProposal(sample, proposal, connector?.defaultMap) };
  const piped = `Pipe the feed into each command: … | feedferry sync ${name}. Or set source.url in the sync file.`;
  const warnings = [...proposal.warnings, ...(sample.url === '-' ? [piped] : [])];
  try {
    const draft = await drafts();
    const judgement = judgeSample(sample, draft);
    return {
      ...review,
      proposal: { ...proposal, warnings: [...warnings, ...rejectionWarnings(judgement)] },
      drafted: { draft, judgement },
    };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { ...review, proposal: { ...proposal, warnings }, mistake: error };
  }
}

/**
 * Returns a reviewed sync whose files can be written.
 * @throws CodedError FF_INIT_UNKNOWN if no field can be the key; ConfigError if the sync is not valid
 */
export function requireReady(review: ReviewedSync): ReadySync {
  const { drafted, mistake } = review;
  if (drafted === undefined) throw mistake ?? new Error(`The sync ${review.name} has neither files nor a mistake.`);
  return { ...review, drafted };
}

function rejectionWarnings({ accepted, rejected, reasons: [first] }: Judgement): string[] {
  if (first === undefined) return [];
  return [`${rejected} of ${accepted + rejected} records would be rejected. First: ${first.at}: ${first.reason}`];
}
