import { feedFormats, mayBeTyped } from '../../app/drafts/check-typed.ts';
import type { FeedDraft } from '../../app/drafts/feed-drafts.ts';
import { type Html, html } from '../../core/html/html.ts';
import { isObject } from '../../core/record.ts';
import { withQuery } from '../../core/text/addresses.ts';
import type { ProposalLine } from '../../inference/review/lines.ts';
import type { Viewer } from '../access/viewer.ts';
import { postForm, textField } from '../parts/form.ts';

/** A draft and who looks at it. */
export interface DraftContext {
  draft: FeedDraft;
  viewer: Viewer;
}

type Choices = ReadonlyArray<readonly [value: string, text: string]>;

const LEAST_FIELDS = 2;
/** Lines that could be set for a new sync, and stay as they are in the file of one. */
const fixedLines = new Set(['resource', 'source.connector']);
const choicesOf: Readonly<Record<string, { how: 'setting' | 'every' | 'policy'; choices: Choices }>> = {
  resource: {
    how: 'setting',
    choices: [
      ['events', 'events'],
      ['accounts', 'people'],
    ],
  },
  'source.connector': {
    how: 'setting',
    choices: feedFormats.map((kind) => [kind, kind]),
  },
  schedule: {
    how: 'every',
    choices: [
      ['15m', 'every 15 minutes'],
      ['1h', 'every hour'],
      ['6h', 'every 6 hours'],
      ['1d', 'every day'],
    ],
  },
  missing: {
    how: 'policy',
    choices: [
      ['keep', 'it stays on the site'],
      ['delete', 'it is deleted from the site'],
    ],
  },
};
const conditions: Choices = [
  ['is', 'one'],
  ['not', 'none'],
];
/** Settings that a draft can have, in words. */
const labels: Readonly<Record<string, string>> = {
  resource: 'Kind of records',
  key: 'Records are recognised by',
  when: 'Which records are published',
  schedule: 'When it runs',
  missing: 'If the feed no longer has a record',
  authority: 'What editors may improve on the site',
  recurrence: 'Events on several days',
  year: 'Year of dates without one',
  'source.connector': 'Format of the feed',
  'source.timezone': 'Time zone of the feed',
};

/** Returns the name of a line as people read it. */
export function lineLabel(name: string): string {
  return labels[name] ?? name.replace(/^source\./, 'Reading: ');
}

/** Returns the address of a draft, or of one of its steps. */
export function draftPath(id: string, step?: 'preview' | 'save' | 'discard' | 'sync.yaml' | 'tests.yaml'): string {
  return `/feeds/${encodeURIComponent(id)}${step === undefined ? '' : `/${step}`}`;
}

/** A form that changes a line of a draft. Forms of several lines have the same buttons, which name their line for those who cannot see it. */
export function lineForm(
  { draft, viewer }: DraftContext,
  how: string,
  line: string,
  {
    label,
    more,
    ...form
  }: Omit<Parameters<typeof postForm>[1], 'viewer' | 'hidden'> & { more?: Record<string, string> },
): Html {
  const hidden = { how, ...(line !== '' && { line }), ...more };
  const named = html`${label}${line !== '' && html`<span class="unseen"> (${lineLabel(line)})</span>`}`;
  // The address names the form, so that a person is still there when the page comes back.
  return postForm(withQuery(draftPath(draft.id), { form: `${line} ${how}` }), {
    viewer,
    hidden,
    label: named,
    ...form,
  });
}

/** The forms that change a line. */
export function linePickers(line: ProposalLine, context: DraftContext): Html {
  const { name, isAttribute, values } = line;
  const { written, said } = context.draft;
  if (written && (fixedLines.has(name) || !mayBeTyped(name))) return html``;
  const isCorrected = Object.hasOwn(said.lines, name) || Object.hasOwn(said.lines, `${name}.format`);
  const forms = isAttribute ? attributePickers(line, context) : settingPicker(line, context);
  const answered = name === 'start' ? Object.keys(said.answers).filter((id) => id.includes(' ')) : [];
  return html`<details class="change"${Object.keys(values).length === 0 && html` open`}><summary>Change<span class="unseen"> ${lineLabel(name)}</span></summary>${forms}
${isCorrected && lineForm(context, 'take-back', name, { label: 'Take my correction back' })}
${answered.map((id) => lineForm(context, 'take-back', id, { label: 'Ask me again' }))}</details>`;
}

function attributePickers({ name, fields, values }: ProposalLine, context: DraftContext): Html {
  const isTime = ['start', 'end'].includes(name);
  const typed = (how: 'format' | 'text', label: string, hint?: string) =>
    textField({ name: 'value', id: `${how}-${name}`, label, isRequired: true, ...(hint !== undefined && { hint }) });
  const format = typed('format', 'How its dates are written', 'Such as dd.MM.yyyy HH:mm');
  const text = typed('text', 'Or the same text for all records');
  const choice = lineForm(context, 'fields', name, {
    fields: fieldSelects(name, fields, context.draft),
    label: 'Use these fields',
  });
  if (Object.keys(values).length === 0) return choice;
  return html`${choice}
${isTime && lineForm(context, 'format', name, { fields: format, label: 'Read them so' })}
${!isTime && name !== 'allDay' && lineForm(context, 'text', name, { fields: text, label: 'Use this text' })}
${lineForm(context, 'none', name, { label: 'Leave it out' })}`;
}

/** The forms for a setting: a choice, fields, or a plain value; and the form that removes it. */
function settingPicker(line: Pick<ProposalLine, 'name' | 'fields' | 'values'>, context: DraftContext): Html {
  const { name, values } = line;
  const isRequired = fixedLines.has(name) || name === 'key';
  return html`${settingForm(line, context)}${
    !isRequired && Object.keys(values).length > 0 && lineForm(context, 'none', name, { label: 'Remove it' })
  }`;
}

function settingForm(
  { name, fields, values }: Pick<ProposalLine, 'name' | 'fields' | 'values'>,
  context: DraftContext,
): Html {
  const { draft } = context;
  if (name === 'key')
    return lineForm(context, 'fields', name, { fields: fieldSelects(name, fields, draft), label: 'Use these fields' });
  if (name === 'when') {
    const hint = 'Several values are separated by commas.';
    const inputs = html`${fieldSelect('when-field', 'Records whose field', fields[0], draft)}
${choice('test', 'has', conditions)}${textField({ name: 'value', id: 'when-value', label: 'of these values', hint, isRequired: true })}`;
    return lineForm(context, 'when', name, { fields: inputs, label: 'Publish only these' });
  }
  const known = choicesOf[name];
  if (known)
    return lineForm(context, known.how, name, {
      fields: choice('value', lineLabel(name), known.choices, Object.values(values)[0]),
      label: 'Set',
    });
  const value = Object.values(values)[0] ?? '';
  if (typeof value === 'object') return html`<p>This setting is changed in the file of the sync.</p>`;
  const input = {
    name: 'value',
    id: `setting-${name}`,
    label: lineLabel(name),
    value: String(value),
    isRequired: true,
  };
  return lineForm(context, 'setting', name, { fields: textField(input), label: 'Set' });
}

/** @param now the present value, or a mapping with it */
function choice(name: string, label: string, choices: Choices, now?: unknown): Html {
  const chosen = isObject(now) ? Object.values(now)[0] : now;
  const id = `${name}-${label.replaceAll(/\W/g, '-')}`;
  return html`<p class="field"><label for="${id}">${label}</label><select id="${id}" name="${name}">${choices.map(([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`)}</select></p>`;
}

/** The settings that a draft does not have yet. */
export function newSettings(context: DraftContext): Html {
  const { lines, proposal, written } = context.draft;
  const isNewOfEvents = proposal.resource.value === 'events' && !written;
  const names = ['when', 'schedule', 'missing', 'source.timezone', ...(isNewOfEvents ? ['year'] : [])];
  const absent = names.filter((name) => !lines.some((line) => line.name === name));
  return html`${absent.map((name) => html`<details class="change"><summary>${lineLabel(name)} …</summary>${settingPicker({ name, fields: [], values: {} }, context)}</details>`)}`;
}

/** The form that maps one more attribute from fields. */
export function newAttribute(context: DraftContext): Html {
  const { standard, custom } = context.draft.attributes;
  return lineForm(context, 'fields', '', {
    fields: html`<p class="field"><label for="new-line">Attribute of the site</label>
<input id="new-line" name="line" list="attributes" required autocomplete="off"></p>
<datalist id="attributes">${[...standard, ...custom].map((name) => html`<option value="${name}"></option>`)}</datalist>${fieldSelects('new', [], context.draft)}`,
    label: 'Add',
  });
}

/** A choice of the attributes of the API, and of those that items of the site have. */
export function attributeSelect(id: string, { standard, custom }: FeedDraft['attributes'], label: Html): Html {
  const group = (name: string, attributes: readonly string[]) =>
    attributes.length > 0 &&
    html`<optgroup label="${name}">${attributes.map((attribute) => html`<option value="${attribute}">${attribute}</option>`)}</optgroup>`;
  return html`<label class="unseen" for="${id}">${label}</label>
<select id="${id}" name="line" required><option value=""></option>${group('Usual attributes', standard)}${group('On items of this site', custom)}</select> `;
}

function fieldSelects(name: string, chosen: readonly string[], draft: FeedDraft): Html {
  const count = Math.max(LEAST_FIELDS, chosen.length + 1);
  return html`${Array.from({ length: count }, (_, nth) => {
    const label = html`${nth === 0 ? 'Field' : 'and'}<span class="unseen"> ${nth + 1} for ${lineLabel(name)}</span>`;
    return fieldSelect(`field-${name}-${nth}`, label, chosen[nth], draft);
  })}`;
}

/** A choice of the fields of the feed, with a value of each. */
function fieldSelect(id: string, label: string | Html, chosen: string | undefined, { fields }: FeedDraft): Html {
  return html`<p class="field"><label for="${id}">${label}</label>
<select id="${id}" name="fields"><option value=""></option>${fields.map(
    ({ path, samples: [sample] }) =>
      html`<option value="${path}"${path === chosen && html` selected`}>${path}${sample !== undefined && html` (${sample.slice(0, 40)})`}</option>`,
  )}</select></p>`;
}
