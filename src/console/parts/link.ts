import { type Html, html } from './html.ts';

/** A link to another website. Feeds may contain any address: only web addresses become links, other texts stay texts. */
export function webLink(url: string | undefined, text = url): Html | undefined {
  if (url === undefined) return undefined;
  if (!isWebAddress(url)) return html`${text}`;
  return html`<a href="${url}" target="_blank" rel="noreferrer noopener">${text}<span class="unseen"> (opens a new tab)</span></a>`;
}

/** Returns whether a text from a feed is a web address. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
