import { type Html, html } from '../../core/html/html.ts';
import { isMasked } from '../../core/text/masked.ts';
import { recordPath } from './addresses.ts';

/** A link to the story of a record: its title; its key if it has none. Viewers who see a masked key cannot open the page. */
export function recordLink(sync: string, { key, title }: { key: string; title?: string }): Html {
  if (isMasked(key)) return html`${title || key}`;
  return html`<a href="${recordPath(sync, key)}">${title || key}</a>`;
}

/** The column that names the records of a table, with links to their stories. */
export function recordColumn(sync: string, head = 'Record') {
  const cell = (record: { key: string; title?: string }) => recordLink(sync, record);
  return { head, isHeading: true, cell } as const;
}
