import { type Html, html } from '../../core/html/html.ts';
import type { Json } from '../../core/record.ts';
import { isObject } from '../../core/record.ts';
import { figureOf } from '../../core/text/figures.ts';
import { readableText } from '../../core/text/readable-value.ts';
import { lineText, type ProposalLine } from '../../inference/review/lines.ts';
import type { UnusedField } from '../../inference/review/unused-fields.ts';
import type { PageContent } from '../pages/page.ts';
import { notice } from '../parts/notice.ts';
import { facts, table } from '../parts/table.ts';
import {
  attributeSelect,
  type DraftContext,
  draftPath,
  lineForm,
  lineLabel,
  linePickers,
  newAttribute,
  newSettings,
} from './pickers.ts';
import { nextStep, type StepContext, stepPage } from './step.ts';
import { writtenNotices } from './written-notices.ts';

/** The step in which a person says what the fields of the feed mean. */
export function fieldsPage(context: StepContext): PageContent {
  const { id, location, sample, proposal, lines, unused, attributes, drafted, mistake } = context.draft;
  const settings = lines.filter(({ isAttribute }) => !isAttribute);
  const body = html`${facts([
    ['Feed', location],
    ['Records read', `${sample.records.length}${sample.isWhole ? '' : ', the beginning of the feed'}`],
    ['System', proposal.recipe],
  ])}
${writtenNotices(context)}${questions(context)}
${!drafted && notice('bad', mistake?.message ?? 'There is no sync yet.')}
${proposal.warnings.length > 0 && notice('warning', html`<ul>${proposal.warnings.map((text) => html`<li>${adviceText(text)}</li>`)}</ul>`)}
<section aria-labelledby="lines"><h2 id="lines">What the site gets from the feed</h2>
${attributes.unread && notice('warning', `The attributes of the site are unknown, because its items could not be read: ${attributes.unread}`)}
${lineTable([...absentLines(context), ...lines.filter(({ isAttribute }) => isAttribute)], 'Attributes', context)}
<details class="change"><summary>Add an attribute</summary>${newAttribute(context)}</details>
${unused.length === 0 ? html`<p>All fields are used.</p>` : html`<details id="unused"><summary>${figureOf(unused.length, 'field')} not used</summary>${unusedTable(unused, context)}</details>`}
<details id="settings"><summary>Settings: how the feed is read, what is published and when</summary>${lineTable(settings, 'Settings', context)}${newSettings(context)}</details></section>
${nextStep(id, 'preview', 'Preview')}`;
  return stepPage('fields', context, body);
}

/** The lines that each event needs, and this draft does not have: a person sees what to choose. */
function absentLines({ draft: { lines, proposal } }: DraftContext): ProposalLine[] {
  const needed = proposal.resource.value === 'events' ? ['title', 'start'] : [];
  const absent = needed.filter((name) => !lines.some((line) => line.name === name));
  const empty = { values: {}, isAttribute: true, fields: [], samples: [], questions: [] };
  return absent.map((name) => ({ ...empty, name, evidence: 'each event needs it: choose a field' }));
}

/** A warning with the names of settings in place of the lines that are written in a file. */
function adviceText(text: string): Html {
  const parts = text.split(/`([\w.]+)(?:: ([^`]*))?`/);
  return html`${parts.map((part, nth) => {
    if (nth % 3 === 0) return part.replace(/\bwrite $/, 'use ');
    // A setting that has two examples is named once.
    const isNamed = (at: number) => parts.indexOf(parts[at] ?? '') < at;
    if (nth % 3 === 2) return part && !part.startsWith('{') && (isNamed(nth - 1) ? part : `: ${part}`);
    return !isNamed(nth) && html`<a href="#settings">${lineLabel(part === 'timezone' ? 'source.timezone' : part)}</a>`;
  })}`;
}

function questions(context: DraftContext): Html | false {
  const { open } = context.draft.proposal;
  if (open.length === 0) return false;
  return html`<section aria-labelledby="questions"><h2 id="questions">Questions</h2>
${open.map(({ id, text, choices, safe }, index) => {
  const fields = html`<fieldset><legend>${text}</legend>${choices.map(
    ({ value, label }, place) =>
      html`<p><label for="q-${index}-${place}"><input type="radio" id="q-${index}-${place}" name="value" value="${value}"${value === safe && html` checked`}> ${label}</label></p>`,
  )}</fieldset>`;
  return lineForm(context, 'answer', id, { fields, label: 'Answer', kind: 'primary' });
})}</section>`;
}

function lineTable(rows: readonly ProposalLine[], caption: string, context: DraftContext): Html {
  const { said, attributes, written } = context.draft;
  const known = new Set([...attributes.standard, ...attributes.custom]);
  const isNew = ({ isAttribute, name }: ProposalLine) =>
    isAttribute && attributes.items > 0 && !known.has(name) && !known.has(name.split('.')[0] ?? '');
  return table<ProposalLine>({
    caption,
    columns: [
      {
        head: caption === 'Settings' ? 'Setting' : 'Attribute',
        isHeading: true,
        cell: (line) =>
          html`<span id="line-${line.name}">${lineLabel(line.name)}</span>${isNew(line) && html` <span class="badge warning">not seen on any item</span>`}${line.questions.length > 0 && html` <a href="#questions">asked about</a>`}`,
      },
      { head: caption === 'Settings' ? 'Value' : 'From', cell: ruleOf },
      caption !== 'Settings' && { head: 'Value → result', cell: exampleOf },
      !written && { head: 'Because', isExtra: true, cell: ({ evidence }) => evidence },
      {
        head: 'Change',
        cell: (line) =>
          html`${Object.hasOwn(said.lines, line.name) && html`<span class="muted">corrected</span> `}${linePickers(line, context)}`,
      },
    ],
    rows,
  });
}

/** The fields that a line reads, or its value; how they become one is in a fold. */
function ruleOf(line: ProposalLine): Html {
  const [value] = Object.values(line.values);
  if (isObject(value) && 'value' in value) return html`always “${readableText(value.value as Json)}”`;
  if (value === undefined) return html`<strong>nothing yet</strong>`;
  if (line.fields.length === 0) return html`<span class="value">${readableText(value as Json)}</span>`;
  const names = line.fields.join(', ');
  const text = lineText(line);
  return html`${names}${text !== names && html`<details><summary class="muted">how<span class="unseen"> ${line.name} is made</span></summary><code>${text}</code></details>`}`;
}

function exampleOf({ example, samples }: ProposalLine): Html {
  if (example === undefined) return html`${samples[0]}`;
  return html`${example.given !== '' && html`<bdi>${example.given}</bdi> → `}<strong><bdi>${example.result}</bdi></strong>`;
}

function unusedTable(unused: readonly UnusedField[], context: DraftContext): Html {
  return table<UnusedField>({
    caption: 'Fields that are not used',
    columns: [
      { head: 'Field', isHeading: true, cell: ({ path }) => path },
      { head: 'Records', kind: 'number', cell: ({ filled }) => filled },
      { head: 'Such as', cell: ({ samples: [sample] }) => sample },
      { head: 'Why not', isExtra: true, cell: ({ reason }) => reason },
      {
        head: 'Use it as',
        cell: ({ path }) =>
          lineForm(context, 'fields', '', {
            more: { fields: path },
            fields: attributeSelect(`use-${path}`, context.draft.attributes, html`Attribute for ${path}`),
            label: html`Use<span class="unseen"> ${path}</span>`,
          }),
      },
    ],
    rows: unused,
  });
}

/** Where a change leads: to the line that it has changed. */
export function lineAnchor(id: string, line: string): string {
  return `${draftPath(id)}#line-${encodeURIComponent(line)}`;
}
