import type { FeedDraft } from '../../app/drafts/feed-drafts.ts';
import { maskedIn } from '../../core/text/masked.ts';

/** Returns a draft for people who may not see e-mail addresses: addresses in samples, records and reasons are masked. */
export function maskedDraft(draft: FeedDraft): FeedDraft {
  const { review, written } = draft;
  const { drafted, lines, fields, unused, proposal } = review;
  return {
    ...draft,
    written: written && { ...written, tests: maskedIn(written.tests) },
    review: {
      ...review,
      proposal: { ...proposal, open: maskedIn(proposal.open), warnings: maskedIn(proposal.warnings) },
      lines: lines.map((line) => ({ ...line, samples: maskedIn(line.samples), questions: maskedIn(line.questions) })),
      fields: maskedIn(fields),
      unused: maskedIn(unused),
      drafted: drafted && { ...drafted, judgement: maskedIn(drafted.judgement) },
    },
  };
}
