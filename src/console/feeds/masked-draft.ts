import type { FeedDraft } from '../../app/drafts/feed-drafts.ts';
import { maskedIn } from '../../core/text/masked.ts';

/** Returns a draft for people who may not see e-mail addresses: addresses in samples, records and reasons are masked. */
export function maskedDraft(draft: FeedDraft): FeedDraft {
  const { written, drafted, lines, fields, unused, proposal, plan } = draft;
  return {
    ...draft,
    ...(written && { written: { ...written, tests: maskedIn(written.tests) } }),
    ...(drafted && { drafted: { ...drafted, judgement: maskedIn(drafted.judgement) } }),
    proposal: { ...proposal, open: maskedIn(proposal.open), warnings: maskedIn(proposal.warnings) },
    lines: lines.map(({ samples, questions, example, ...line }) => {
      return { ...line, ...maskedIn({ samples, questions, ...(example && { example }) }) };
    }),
    fields: maskedIn(fields),
    unused: maskedIn(unused),
    plan: maskedIn(plan),
  };
}
