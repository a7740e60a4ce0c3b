import { type Html, html } from '../../core/html/html.ts';

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

/** The number of an item in the CMS, with a link to it if the config says where items are edited. */
export function itemNumber({ cmsId, link }: { cmsId?: number; link?: string }): Html | string | undefined {
  if (cmsId === undefined) return undefined;
  return link === undefined ? `#${cmsId}` : webLink(link, `#${cmsId}`);
}
