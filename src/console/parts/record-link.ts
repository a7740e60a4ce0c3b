import { isMasked } from '../../core/text/masked.ts';
import { recordPath } from './addresses.ts';
import { type Html, html } from './html.ts';

/** A link to the story of a record: its title; its key if it has none. Viewers who see a masked key cannot open the page. */
export function recordLink(sync: string, { key, title }: { key: string; title?: string }): Html {
  if (isMasked(key)) return html`${title || key}`;
  return html`<a href="${recordPath(sync, key)}">${title || key}</a>`;
}
