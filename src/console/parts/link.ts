import { type Html, html } from '../../core/html/html.ts';
import { itemPath, recordPath } from '../../core/text/addresses.ts';
import { isMasked } from '../../core/text/masked.ts';

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

/** A link to the story of a record: its title; its key if it has none. Viewers who see a masked key cannot open the page. */
export function recordLink(sync: string, { key, title }: { key: string; title?: string }, beside?: 'cms'): Html {
  if (isMasked(key)) return nameText(title || key);
  return html`<a href="${recordPath(sync, key, beside)}">${nameText(title || key)}</a>`;
}

/** Letters of scripts that run from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A title: the day and time after one that runs from right to left stay in their order. */
export function nameText(name: string): Html {
  if (!RIGHT_TO_LEFT.test(name)) return html`${name}`;
  const [, title = name, rest = ''] = /^(.*?)(, \d{4}-\d\d-\d\d.*)$/s.exec(name) ?? [];
  return html`<bdi>${title}</bdi>${rest}`;
}

/** A link to the item of a record on the site. */
export function siteLink(sync: string, { key, title }: { key: string; title?: string }, text: string): Html {
  return html`<a href="${itemPath(sync, key)}" target="_blank" rel="noreferrer noopener">${text}<span class="unseen"> of ${title || key} (opens a new tab)</span></a>`;
}

/** The column that names the records of a table, with links to their stories. */
export function recordColumn(sync: string, head = 'Record') {
  const cell = (record: { key: string; title?: string }) => recordLink(sync, record);
  return { head, isHeading: true, cell } as const;
}
