import { recordPath } from './addresses.ts';
import { type Html, html } from './html.ts';

/** A link to the story of a record: its title; its key if it has none. */
export function recordLink(sync: string, { key, title }: { key: string; title?: string }): Html {
  return html`<a href="${recordPath(sync, key)}">${title || key}</a>`;
}
