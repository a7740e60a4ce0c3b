import { type Html, html } from '../../core/html/html.ts';
import { readableText } from '../../core/text/readable-value.ts';
import type { DifferenceView } from '../../queries/views/shared.ts';
import { isWebAddress, webLink } from './link.ts';

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
