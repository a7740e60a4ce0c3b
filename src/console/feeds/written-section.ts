import type { FeedDraft, WrittenView } from '../../app/drafts/feed-drafts.ts';
import type { TestResult } from '../../app/mapping-tests.ts';
import { type Html, html } from '../../core/html/html.ts';
import { syncPath } from '../../core/text/addresses.ts';
import { figureOf } from '../../core/text/figures.ts';
import { readableText } from '../../core/text/readable-value.ts';
import { isAttributeLine } from '../../inference/correct/corrections.ts';
import type { Viewer } from '../access/viewer.ts';
import { postForm } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { draftForm } from './draft-forms.ts';

/** Returns the address that opens the file of a sync as a draft. */
export function openPath(sync: string): string {
  return syncPath(sync, 'edit');
}

/** What matters about the file of a sync before its lines: other sources, fields that the feed no longer has, mapping tests that fail. */
export function writtenSection(context: { draft: FeedDraft; viewer: Viewer }): Html | false {
  const { written } = context.draft;
  if (!written) return false;
  return html`<p>Lines that you change here do not count before they are saved.</p>${otherSources(written, context)}${missingFields(written, context)}${otherKeys(context.draft)}${leftOut(context.draft)}${failedTests(written.tests)}`;
}

function otherSources({ source, sources }: WrittenView, { draft, viewer }: { draft: FeedDraft; viewer: Viewer }) {
  if (source === undefined) return false;
  const others = sources.filter((name) => name !== source);
  return notice(
    'info',
    html`<p>These are the lines of the source <strong>${source}</strong>. Lines that it shares change for all sources of the sync.</p>
${others.map((name) => postForm(openPath(draft.review.name), { viewer, hidden: { source: name }, label: `Open ${name}` }))}`,
  );
}

function missingFields({ missing }: WrittenView, context: { draft: FeedDraft; viewer: Viewer }): Html | false {
  if (missing.length === 0) return false;
  return notice(
    'warning',
    html`<p>The sync reads fields that the feed does not have:</p><ul>${missing.map(
      ({ field, now }) =>
        html`<li><code>${field}</code>${
          now !== undefined &&
          html`, now perhaps <code>${now}</code> ${draftForm(context, { part: 'rename', hidden: { from: field, to: now }, label: `Map it: read ${now}` })}`
        }</li>`,
    )}</ul>`,
  );
}

function otherKeys({ corrections }: FeedDraft): Html | false {
  if (!Object.hasOwn(corrections.lines, 'key')) return false;
  return notice(
    'warning',
    html`<p>With another key, the records of the feed are new ones: the next run looks for their items on the site, and what it published under the former keys
counts as missing. See what a run would do before you change this.</p>`,
  );
}

function leftOut({ corrections, review }: FeedDraft): Html | false {
  const mapped = new Set(review.lines.map(({ name }) => name));
  const lines = Object.keys(corrections.lines).filter((line) => corrections.lines[line] === null && !mapped.has(line));
  const attributes = lines.filter((line) => isAttributeLine(line));
  if (attributes.length === 0) return false;
  return notice(
    'info',
    `Items that are published keep what they have in ${attributes.join(', ')}: it is no longer changed.`,
  );
}

function failedTests(tests: readonly TestResult[]): Html | false {
  const failed = tests.filter(({ mistake, differences }) => mistake !== undefined || differences.length > 0);
  if (tests.length === 0) return false;
  if (failed.length === 0) return notice('good', `${figureOf(tests.length, 'mapping test')} of the sync: all pass.`);
  return notice(
    'warning',
    html`<p>${failed.length} of ${figureOf(tests.length, 'mapping test')} of the sync would fail. They stay as they are.</p><ul>${failed.map(
      ({ name, mistake, differences }) =>
        html`<li>${name}: ${mistake ?? differences.map(({ attribute, expected, actual }) => `${attribute} would be ${readableText(actual ?? 'absent')}, expected ${readableText(expected ?? 'absent')}`).join('; ')}</li>`,
    )}</ul>`,
  );
}
