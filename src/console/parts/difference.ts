import type { DifferenceView } from '../../queries/views/shared.ts';
import { type Html, html } from './html.ts';
import { isWebAddress, webLink } from './link.ts';
import { table } from './table.ts';

const PICTURE = /\.(avif|gif|jpe?g|png|svg|webp)$/i;
/** Number of characters of a long text that are shown before and after a change. */
const AROUND = 60;

type Json = DifferenceView['from'];

/** Attributes before and after a change. The changed part of a text is marked; pictures are shown side by side. */
export function differenceTable(
  differences: readonly DifferenceView[],
  heads: [string, string] = ['Before', 'After'],
): Html {
  return table({
    caption: 'Changed attributes',
    columns: [
      { head: 'Attribute', isHeading: true, kind: 'key', cell: ({ attribute }) => attribute },
      { head: heads[0], cell: ({ from, to }) => side(from, to, 'del') },
      { head: heads[1], cell: ({ from, to }) => side(to, from, 'ins') },
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
  const names = differences.map(({ attribute }) => attribute).join(', ');
  return html`<details id="${id}"><summary>${names}</summary>${differenceTable(differences, heads)}</details>`;
}

/** A value of an attribute or field, as a reader sees it. */
export function valueText(value: Json): Html {
  if (value === undefined || value === null || value === '') return html`<span class="muted">empty</span>`;
  const picture = pictureOf(value);
  if (picture) return html`<figure><img src="${picture}" alt="" loading="lazy">${webLink(picture)}</figure>`;
  if (typeof value === 'string') return isWebAddress(value) ? html`${webLink(value)}` : html`${value}`;
  const path = srcOf(value);
  return path === undefined ? html`<code>${JSON.stringify(value)}</code>` : html`${path}`;
}

function side(value: Json, other: Json, tag: 'del' | 'ins'): Html {
  if (typeof value !== 'string' || typeof other !== 'string' || pictureOf(value) || isWebAddress(value)) {
    return valueText(value);
  }
  const [start, end] = changedPart(value, other);
  const [before, changed, after] = [value.slice(0, start), value.slice(start, end), value.slice(end)];
  if (changed === '') return html`${shortened(before, 'end')}${shortened(after, 'start')}`;
  const marked = tag === 'del' ? html`<del>${changed}</del>` : html`<ins>${changed}</ins>`;
  return html`${shortened(before, 'end')}${marked}${shortened(after, 'start')}`;
}

/** Returns the start and the end of the part in which a text differs from another text. */
function changedPart(text: string, other: string): [number, number] {
  const shorter = Math.min(text.length, other.length);
  let start = 0;
  while (start < shorter && text[start] === other[start]) start += 1;
  let same = 0;
  while (same < shorter - start && text.at(-1 - same) === other.at(-1 - same)) same += 1;
  // The part may start neither inside a word nor inside a surrogate pair.
  while (start > 0 && /[\p{L}\p{N}\p{Surrogate}]/u.test(text[start - 1] ?? '')) start -= 1;
  while (same > 0 && /[\p{L}\p{N}\p{Surrogate}]/u.test(text.at(-same) ?? '')) same -= 1;
  return [start, text.length - same];
}

function shortened(text: string, kept: 'start' | 'end'): string {
  if (text.length <= 2 * AROUND) return text;
  return kept === 'start' ? `${text.slice(0, AROUND)} …` : `… ${text.slice(-AROUND)}`;
}

/** The path or address of a file, as the CMS returns it. */
function srcOf(value: Json): string | undefined {
  const src = typeof value === 'object' && value !== null && 'src' in value ? value.src : undefined;
  return typeof src === 'string' ? src : undefined;
}

function pictureOf(value: Json): string | undefined {
  const address = srcOf(value) ?? value;
  if (typeof address !== 'string' || !isWebAddress(address)) return undefined;
  return PICTURE.test(new URL(address).pathname) ? address : undefined;
}
