import type { WrittenPart } from '../../app/drafts/draft.ts';
import type { FeedDraft } from '../../app/drafts/feed-drafts.ts';
import type { TestResult } from '../../app/mapping-tests.ts';
import { type Html, html } from '../../core/html/html.ts';
import { syncPath, withQuery } from '../../core/text/addresses.ts';
import { figureOf } from '../../core/text/figures.ts';
import { readableText } from '../../core/text/readable-value.ts';
import { isAttributeLine } from '../../inference/correct/corrections.ts';
import { notice } from '../parts/notice.ts';
import { type DraftContext, lineForm } from './pickers.ts';

/** What matters about the file of a sync before its lines: other sources, fields that the feed no longer has, mapping tests that fail. */
export function writtenNotices(context: DraftContext): Html | false {
  const { draft } = context;
  const { written } = draft;
  if (!written) return false;
  return html`<p>${draft.isUpload && 'This is the new version of the feed. '}What you change here counts when it is saved.</p>
${otherSources(draft.name, written)}${missingFields(written, context)}${otherKeys(draft)}${leftOut(draft)}${failedTests(written.tests)}`;
}

function otherSources(sync: string, { source, sources }: WrittenPart): Html | false {
  if (source === undefined) return false;
  const others = sources.filter((name) => name !== source);
  return notice(
    'info',
    html`<p>These are the fields of the source <strong>${source}</strong>. What it shares changes for all sources of the sync.</p>
<p>${others.map((name) => html`<a href="${withQuery(syncPath(sync, 'change'), { source: name })}">Open ${name}</a> `)}</p>`,
  );
}

function missingFields({ missing }: WrittenPart, context: DraftContext): Html | false {
  if (missing.length === 0) return false;
  return notice(
    'warning',
    html`<p>The sync reads fields that the feed does not have:</p><ul>${missing.map(
      ({ field, now }) =>
        html`<li><code>${field}</code>${
          now !== undefined &&
          html`, now perhaps <code>${now}</code> ${lineForm(context, 'rename', field, { more: { value: now }, label: `Map it: read ${now}` })}`
        }</li>`,
    )}</ul>`,
  );
}

function otherKeys({ said }: FeedDraft): Html | false {
  if (!Object.hasOwn(said.lines, 'key')) return false;
  return notice(
    'warning',
    html`<p>With another key, the records of the feed are new ones: the next run looks for their items on the site, and what it published under the former keys
counts as missing. See what a run would do before you change this.</p>`,
  );
}

function leftOut({ said, lines: shown }: FeedDraft): Html | false {
  const mapped = new Set(shown.map(({ name }) => name));
  const lines = Object.keys(said.lines).filter((line) => said.lines[line] === null && !mapped.has(line));
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
