import { mayBeTyped } from '../../app/drafts/check-typed.ts';
import type { FeedDraft } from '../../app/drafts/feed-drafts.ts';
import { type Html, html } from '../../core/html/html.ts';
import { lineText, type ProposalLine } from '../../inference/review/lines.ts';
import type { Viewer } from '../access/viewer.ts';
import { postForm, textField } from '../parts/form.ts';

const PARTS = 3;
/** Lines that could be set for a new sync, and stay as they are in the file of one. */
const fixedLines = new Set(['resource', 'source.connector']);

/** Returns the address of a draft, or of one of its parts. */
export function draftPath(id: string, part?: string): string {
  return `/feeds/${encodeURIComponent(id)}${part === undefined ? '' : `/${part}`}`;
}

/** A form of a draft, sent to its address or to one of its parts. */
export function draftForm(
  { draft, viewer }: { draft: FeedDraft; viewer: Viewer },
  { part, ...form }: Omit<Parameters<typeof postForm>[1], 'viewer'> & { part?: string },
): Html {
  return postForm(draftPath(draft.id, part), { viewer, ...form });
}

/** The forms that change a line: other fields, the format of dates, a rule as in the sync file, nothing. */
export function lineForms(line: ProposalLine, context: { draft: FeedDraft; viewer: Viewer }): Html {
  const { name, isAttribute, fields, values } = line;
  if (context.draft.written && (fixedLines.has(name) || !mayBeTyped(name))) return html``;
  const { lines, answers } = context.draft.corrections;
  const isCorrected = Object.hasOwn(lines, name) || Object.hasOwn(lines, `${name}.format`);
  const hidden = (how: string) => ({ line: name, how });
  const forms = [
    (isAttribute || name === 'key') &&
      draftForm(context, { hidden: hidden('fields'), fields: fieldInputs(name, fields), label: 'Use these fields' }),
    isAttribute &&
      ['start', 'end'].includes(name) &&
      draftForm(context, {
        hidden: hidden('format'),
        fields: textField({
          name: 'value',
          id: `format-${name}`,
          label: 'Format of its dates',
          hint: 'Such as dd.MM.yyyy HH:mm',
          isRequired: true,
        }),
        label: 'Set the format',
      }),
    draftForm(context, {
      hidden: hidden('rule'),
      fields: textField({
        name: 'value',
        id: `rule-${name}`,
        label: 'As in the sync file',
        value: Object.keys(values).length === 1 ? lineText(line) : '',
        hint: isAttribute ? 'A rule, such as { value: Concert }' : 'A value in YAML',
        isRequired: true,
      }),
      label: 'Set',
    }),
    isAttribute && draftForm(context, { hidden: hidden('none'), label: 'Leave it out' }),
    isCorrected && draftForm(context, { part: 'take-back', hidden: { line: name }, label: 'Take my correction back' }),
    ...Object.keys(answers)
      .filter((id) => id.includes(' ') && name === 'start')
      .map((id) => draftForm(context, { part: 'take-back', hidden: { line: id }, label: 'Ask me again' })),
  ];
  return html`<details class="change"><summary>Change<span class="unseen"> ${name}</span></summary>${forms}</details>`;
}

function fieldInputs(name: string, fields: readonly string[]): Html {
  return html`${Array.from({ length: PARTS }, (_, index) => {
    const id = `field-${name}-${index}`;
    return html`<p class="field"><label for="${id}">${index === 0 ? 'Field' : 'and'}</label>
<input id="${id}" name="fields" list="fields" value="${fields[index] ?? ''}" autocomplete="off"></p>`;
  })}`;
}

/** The form for a key of the sync file that has no line yet, or for an attribute with a rule. */
export function otherLineForm(context: { draft: FeedDraft; viewer: Viewer }): Html {
  const names = ['when', 'schedule', 'missing', 'source.timezone', 'year'];
  return draftForm(context, {
    hidden: { how: 'rule' },
    fields: html`<p class="field"><label for="other-line">Key or attribute</label>
<input id="other-line" name="line" list="keys" required autocomplete="off"></p>
<datalist id="keys">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>
${textField({
  name: 'value',
  id: 'other-value',
  label: 'Value, as in the sync file',
  hint: 'when: { field: status, is: published } · schedule: { every: 1h } · year: 2027, if dates have none',
  isRequired: true,
})}`,
    label: 'Set',
  });
}

/** The form that maps an attribute from fields. */
export function newLineForm(context: { draft: FeedDraft; viewer: Viewer }): Html {
  return draftForm(context, {
    hidden: { how: 'fields' },
    fields: html`<p class="field"><label for="new-line">Attribute of the site</label>
<input id="new-line" name="line" list="attributes" required autocomplete="off"></p>${fieldInputs('new', [])}`,
    label: 'Add',
  });
}

/** The names that the fields of the forms propose. */
export function nameLists({ review, attributes }: FeedDraft): Html {
  const { standard, custom } = attributes;
  return html`<datalist id="fields">${review.fields.map(({ path, samples }) => html`<option value="${path}">${samples[0]}</option>`)}</datalist>
<datalist id="attributes">${[...standard, ...custom].map((name) => html`<option value="${name}"></option>`)}</datalist>`;
}

/** A choice of the attributes of the API, and of those that items of the site have. */
export function attributeSelect(id: string, { standard, custom }: FeedDraft['attributes'], label: Html): Html {
  const group = (name: string, attributes: readonly string[]) =>
    attributes.length > 0 &&
    html`<optgroup label="${name}">${attributes.map((attribute) => html`<option value="${attribute}">${attribute}</option>`)}</optgroup>`;
  return html`<label class="unseen" for="${id}">${label}</label>
<select id="${id}" name="line" required><option value=""></option>${group('Of the API', standard)}${group('On items of this site', custom)}</select> `;
}
