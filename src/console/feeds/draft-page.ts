import type { FeedDraft } from '../../app/drafts/feed-drafts.ts';
import type { FileEdit } from '../../app/drafts/patch.ts';
import type { DraftPlan } from '../../app/drafts/plan-draft.ts';
import { type Html, html } from '../../core/html/html.ts';
import type { Json, Payload, Resource } from '../../core/record.ts';
import { figure, figureOf } from '../../core/text/figures.ts';
import { readableText } from '../../core/text/readable-value.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import { describeJudgement, type Judgement } from '../../inference/review/judgement.ts';
import { lineText, type ProposalLine } from '../../inference/review/lines.ts';
import type { UnusedField } from '../../inference/review/unused-fields.ts';
import type { Viewer } from '../access/viewer.ts';
import type { PageContent } from '../pages/page.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { syncCrumbs } from '../parts/sync-tabs.ts';
import { facts, table } from '../parts/table.ts';
import { valueText } from '../parts/value.ts';
import type { Problem } from '../problem.ts';
import { draftFiles } from './draft-files.ts';
import {
  attributeSelect,
  draftForm,
  draftPath,
  lineForms,
  nameLists,
  newLineForm,
  otherLineForm,
} from './draft-forms.ts';
import { NEW_FEED } from './new-feed.ts';
import { planSection } from './plan-section.ts';
import { writtenSection } from './written-section.ts';

/** Number of records that are shown at once. */
const SHOWN = 2;

/** What the page of a draft shows besides the draft itself. */
export interface DraftPageContext {
  draft: FeedDraft;
  viewer: Viewer;
  /** Whether the viewer may not see e-mail addresses. */
  isMasked: boolean;
  /** Why the last change was refused. */
  problem?: Problem;
  /** What a run would do. */
  plan?: DraftPlan;
  /** What saving the draft would change. */
  edits: readonly FileEdit[];
}

/** The page of a draft: its lines with samples, the fields that are not used, the records, the plan and the files. */
export function draftPage(context: DraftPageContext): PageContent {
  const { draft, problem, plan } = context;
  const { review, attributes, location, written } = draft;
  const { proposal, drafted, mistake, unused } = review;
  return {
    title: written ? `Change ${review.name}` : review.name,
    crumbs: written
      ? syncCrumbs(review.name)
      : [
          { to: '/', text: 'Overview' },
          { to: NEW_FEED, text: 'Add a feed' },
        ],
    aside: draftForm(context, { part: 'discard', label: 'Discard the draft' }),
    body: html`${problem && problemNotice(problem)}${nameLists(draft)}${steps(draft)}
${facts([
  ['Feed', location],
  ['Records read', `${review.sample.records.length}${review.sample.isWhole ? '' : ', the beginning of the feed'}`],
  ['Recipe', proposal.recipe],
])}
${writtenSection(context)}${questions(context)}
<section aria-labelledby="lines"><h2 id="lines">Fields: what the sync makes of them</h2>
${attributes.unread && notice('warning', `The attributes of the site are unknown, because its items could not be read: ${attributes.unread}`)}
${lineTable(context)}
<details class="change"><summary>Add an attribute</summary>${newLineForm(context)}</details>
<details class="change"><summary>Set another key</summary>${otherLineForm(context)}</details>
${unused.length === 0 ? html`<p>All fields are used.</p>` : html`<details id="unused"><summary>${figureOf(unused.length, 'field')} not used</summary>${unusedTable(unused, context)}</details>`}</section>
${proposal.warnings.length > 0 && notice('warning', html`<ul>${proposal.warnings.map((text) => html`<li>${text}</li>`)}</ul>`)}
<section aria-labelledby="records"><h2 id="records">Preview: how the records will look</h2>
${drafted ? recordList(drafted.judgement) : notice('bad', mistake?.message ?? 'There is no sync yet.')}</section>
${drafted && planSection(context, plan)}
${drafted && draftFiles(context)}`,
  };
}

/** The way from a feed to a sync. */
function steps({ review, written }: FeedDraft): Html {
  const all = [
    ...(review.proposal.open.length > 0 ? [['questions', 'Questions']] : []),
    ...[
      ['lines', 'Fields'],
      ['records', 'Preview'],
      ['plan', 'Plan'],
      ['files', written ? 'Save the change' : 'Save'],
    ],
  ];
  return html`<nav class="menu" aria-label="Steps">${all.map(([id, text], nth) => html`<a href="#${id}">${nth + 1}. ${text}</a>`)}</nav>`;
}

function questions(context: DraftPageContext): Html | false {
  const { open } = context.draft.review.proposal;
  if (open.length === 0) return false;
  return html`<section aria-labelledby="questions"><h2 id="questions">Questions</h2>
${open.map(({ id, text, choices, safe }, index) => {
  const fields = html`<fieldset><legend>${text}</legend>${choices.map(
    ({ value, label }, place) =>
      html`<p><label for="q-${index}-${place}"><input type="radio" id="q-${index}-${place}" name="value" value="${value}"${value === safe && html` checked`}> ${label}</label></p>`,
  )}</fieldset>`;
  return draftForm(context, { hidden: { how: 'answer', line: id }, fields, label: 'Answer', kind: 'primary' });
})}</section>`;
}

function lineTable(context: DraftPageContext): Html {
  const { review, corrections, attributes } = context.draft;
  const known = new Set([...attributes.standard, ...attributes.custom]);
  const isNew = ({ isAttribute, name }: ProposalLine) =>
    isAttribute && attributes.items > 0 && !known.has(name) && !known.has(name.split('.')[0] ?? '');
  return table<ProposalLine>({
    caption: 'Lines of the sync',
    columns: [
      {
        head: 'Attribute or key',
        isHeading: true,
        cell: (line) =>
          html`<span id="line-${line.name}">${line.name}</span>${isNew(line) && html` <span class="badge warning">not seen on any item</span>`}${line.questions.length > 0 && html` <a href="#questions">asked about</a>`}`,
      },
      { head: 'From', cell: ruleOf },
      {
        head: 'Such as',
        cell: ({ samples }) => html`${samples.map((sample) => html`<div>${sample}</div>`)}`,
      },
      { head: 'Because', isExtra: true, cell: ({ evidence }) => evidence },
      {
        head: 'Change',
        cell: (line) =>
          html`${Object.hasOwn(corrections.lines, line.name) && html`<span class="muted">corrected</span> `}${lineForms(line, context)}`,
      },
    ],
    rows: review.lines,
  });
}

/** The fields that a line reads, or its value; a rule of the sync file is in a fold. */
function ruleOf(line: ProposalLine): Html {
  const text = lineText(line);
  if (line.fields.length === 0 && /^[\w .,:/-]*$/.test(text)) return html`${text}`;
  const names = line.fields.join(', ');
  return html`${names}${text !== names && html`<details><summary class="muted">rule<span class="unseen"> of ${line.name}</span></summary><code>${text}</code></details>`}`;
}

function unusedTable(unused: readonly UnusedField[], context: DraftPageContext): Html {
  const { attributes } = context.draft;
  return table<UnusedField>({
    caption: 'Fields that are not used',
    columns: [
      { head: 'Field', isHeading: true, cell: ({ path }) => path },
      { head: 'Records', kind: 'number', cell: ({ filled }) => filled },
      {
        head: 'Such as',
        cell: ({ samples }) => html`${samples.map((sample) => html`<div>${sample}</div>`)}`,
      },
      { head: 'Why not', isExtra: true, cell: ({ reason }) => reason },
      {
        head: 'Use it as',
        cell: ({ path }) =>
          draftForm(context, {
            hidden: { how: 'fields', fields: path },
            fields: attributeSelect(`use-${path}`, attributes, html`Attribute for ${path}`),
            label: 'Use',
          }),
      },
    ],
    rows: unused,
  });
}

function recordList(judgement: Judgement): Html {
  const { reasons, first, rejected } = judgement;
  const tone = rejected === 0 ? 'good' : 'warning';
  return html`${notice(tone, describeJudgement(judgement))}
${reasons.length > 0 && html`<ul>${reasons.map(({ code, reason, count, at }) => html`<li title="${code}">${figure(count)} times, first in ${at}: ${reason}</li>`)}</ul>`}
${first.slice(0, SHOWN).map(recordOf)}${first.length > SHOWN && html`<details id="more-records"><summary>${figureOf(first.length - SHOWN, 'more record')}</summary>${first.slice(SHOWN).map(recordOf)}</details>`}`;
}

function recordOf({ key, resource, payload, attachments }: Judgement['first'][number]): Html {
  return html`<article><h3>${readableText(headingOf(payload, resource) ?? key)}</h3>${facts([
    ['Key', key],
    ...Object.entries(payload)
      .filter(([name]) => !(resource === 'events' && name === 'title'))
      .map(([name, value]): [string, Html] => [name, valueText(value)]),
    ...attachments.map(({ attribute, source }): [string, string] => [
      attribute,
      source.is === 'location' ? source.location : 'inline',
    ]),
  ])}</article>`;
}

/** The title of an event, or the name and e-mail address of a person. */
function headingOf(payload: Payload, resource: Resource): Json | undefined {
  return resource === 'events' ? payload.title : recordTitle(payload, resource) || undefined;
}

/** Where a change leads: to the line that it has changed. */
export function lineAnchor(id: string, line: string): string {
  return `${draftPath(id)}#line-${encodeURIComponent(line.replace(/\.format$/, ''))}`;
}
