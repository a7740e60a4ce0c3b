import { type Html, html } from '../../core/html/html.ts';
import { attributeLabel, attributeLabels } from '../../core/text/attribute-label.ts';
import { changedPart } from '../../core/text/changed-part.ts';
import { readableText } from '../../core/text/readable-value.ts';
import type { DifferenceView } from '../../queries/views/shared.ts';
import { isWebAddress, webLink } from './link.ts';
import { table } from './table.ts';

/** A value of an attribute or field; undefined: there is none. */
export type Value = DifferenceView['from'];

/** A value of an attribute or field, as a reader sees it. */
export function valueText(value: Value): Html {
  const text = readableText(value);
  if (text === '') return html`<span class="muted">empty</span>`;
  if (isWebAddress(text)) return html`${webLink(text)}`;
  return html`<span class="value">${text}</span>`;
}

/** A small picture that leads to the whole one. Browsers load it when it comes into view, and tell its server no address. */
export function thumbnail(address: string, alt: string): Html {
  return html`<a class="thumbnail" href="${address}" target="_blank" rel="noreferrer noopener"><img src="${address}" alt="${alt}" loading="lazy" referrerpolicy="no-referrer" width="160" height="120"><span class="unseen"> (opens a new tab)</span></a>`;
}

/** Number of characters of a long text that are shown before and after a change. */
const AROUND = 60;

/** Attributes before and after a change. The changed part of a text is marked; pictures are shown side by side. */
export function differenceTable(
  differences: readonly DifferenceView[],
  heads: [string, string] = ['Before', 'After'],
): Html {
  return table<DifferenceView>({
    caption: 'Changed attributes',
    columns: [
      { head: 'Attribute', isHeading: true, cell: ({ attribute }) => attributeLabel(attribute) },
      {
        head: heads[0],
        cell: ({ attribute, from, to, pictures }) =>
          side({ attribute, head: heads[0], tag: 'del' }, from, to, pictures?.from),
      },
      {
        head: heads[1],
        cell: ({ attribute, from, to, pictures }) =>
          side({ attribute, head: heads[1], tag: 'ins' }, to, from, pictures?.to),
      },
    ],
    rows: differences,
  });
}

/** The names of changed attributes; a click on them shows the values. */
export function differenceDetails(
  id: string,
  differences: readonly DifferenceView[],
  heads?: [string, string],
): Html | undefined {
  if (differences.length === 0) return undefined;
  const names = attributeLabels(differences.map(({ attribute }) => attribute));
  return html`<details id="${id}"><summary>${names}</summary>${differenceTable(differences, heads)}</details>`;
}

function side(
  { attribute, head, tag }: { attribute: string; head: string; tag: 'del' | 'ins' },
  value: Value,
  other: Value,
  picture: string | undefined,
): Html {
  return picture === undefined ? markedText(value, other, tag) : thumbnail(picture, `${attribute}: ${head}`);
}

/** A value with the part marked in which its text differs from that of another value. */
export function markedText(value: Value, other: Value, tag: 'del' | 'ins'): Html {
  const [text, otherText] = textsOf(value, other);
  if (text === '' || otherText === '' || isWebAddress(text)) return valueText(value);
  const [start, end] = changedPart(text, otherText);
  const [before, changed, after] = [text.slice(0, start), text.slice(start, end), text.slice(end)];
  const marked = tag === 'del' ? html`<del>${changed}</del>` : html`<ins>${changed}</ins>`;
  return html`<span class="value">${shortened(before, 'end')}${changed !== '' && marked}${shortened(after, 'start')}</span>`;
}

/** What people read of two values; their HTML, if they differ in nothing else. */
function textsOf(value: Value, other: Value): [string, string] {
  const texts: [string, string] = [readableText(value), readableText(other)];
  const isMarkup = texts[0] === texts[1] && typeof value === 'string' && typeof other === 'string';
  return isMarkup ? [value as string, other as string] : texts;
}

function shortened(text: string, kept: 'start' | 'end'): string {
  if (text.length <= 2 * AROUND) return text;
  return kept === 'start' ? `${text.slice(0, AROUND)} …` : `… ${text.slice(-AROUND)}`;
}
