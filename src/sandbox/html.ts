import sanitizeHtml from 'sanitize-html';
import { html, raw } from '../core/html.ts';
import type { Payload } from '../core/record.ts';
import { type Markup, pageLinks } from './pages/layout.ts';
import { asObject, asText } from './resource.ts';
import type { Item } from './store/store.ts';
import type { SandboxUploads } from './store/upload-store.ts';

/** A part of a long list, and its position. */
interface ListPart {
  items: Item[];
  total: number;
  page: number;
  pages: number;
}

/** The name of an event that people read. */
export function shownTitle(data: Payload): string {
  return asText(data.title) || 'Untitled event';
}

/** The public view of an event: its text, its time, its pictures, and links to its other files. */
export function eventPage(id: number, data: Payload, uploads: SandboxUploads): Markup {
  const description = sanitizeHtml(asText(data.description) ?? '');
  return html`<h1>${shownTitle(data)}</h1>
<p>${whenText(data)}</p>
${files(data, uploads)}
<div>${raw(description)}</div>
<p><a href="/events/${id}.ics">Add to calendar</a></p>`;
}

/** The start page: links to the events, the newest first, and how many accounts there are. */
export function eventsPage({ items, total, page, pages }: ListPart, accounts: number): Markup {
  return html`<h1>Sandbox</h1>
<p>${total === 0 ? 'No events yet.' : `Events: ${total}. The newest first:`}</p>
<ul>
${items.map(({ id, data }) => html`<li><a href="/events/${id}">${shownTitle(data)}</a>, ${whenText(data)}</li>\n`)}</ul>
${pageLinks('/', page, pages)}
<p>${accounts === 0 ? 'No accounts yet.' : html`<a href="/admin/accounts">Accounts: ${accounts}</a>`}</p>`;
}

/** Links to the accounts, the newest first. */
export function accountsPage({ items, total, page, pages }: ListPart): Markup {
  return html`<h1>Accounts</h1>
<p>${total === 0 ? 'No accounts yet.' : `Accounts: ${total}. The newest first:`}</p>
<ul>
${items.map(({ id, data }) => html`<li><a href="/admin/accounts/${id}">${accountName(id, data)}</a></li>\n`)}</ul>
${pageLinks('/admin/accounts', page, pages)}`;
}

/** Shows all stored values of an item, attribute by attribute. */
export function itemPage(name: string, values: Payload): Markup {
  const text = (value: Payload[string]) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  return html`<h1>${name}</h1>
<p><a href="/admin/journal?item=${name}">Its changes</a></p>
<table>
${Object.entries(values).map(([key, value]) => html`<tr><th>${key}</th><td><pre>${text(value)}</pre></td></tr>\n`)}</table>`;
}

/** Shows pictures, and links to other uploaded files. A src of no upload is not followed, because it may lead anywhere. */
function files(data: Payload, uploads: SandboxUploads): Markup[] {
  return Object.entries(data).flatMap(([key, value]) => {
    const file = asObject(value);
    const src = asText(file?.src);
    if (!src || !uploads.has(src)) return [];
    const alt = asText(file?.alt) ?? key;
    if (src.endsWith('.pdf')) return [html`<p><a href="${src}">${alt}</a></p>`];
    return [html`<p><img src="${src}" alt="${alt}"></p>`];
  });
}

function accountName(id: number, data: Payload): string {
  const name = [asText(data.firstName), asText(data.lastName)].filter(Boolean).join(' ');
  const [first] = [asText(data.displayName), name, asText(data.username), asText(data.email)].filter(Boolean);
  return first ?? `Account ${id}`;
}

function whenText(data: Payload): string {
  const time = asObject(data.time);
  const start = [asText(data.date), asText(time?.start)].filter(Boolean).join(' ');
  const end = [asText(data.endDate), asText(time?.end)].filter(Boolean).join(' ');
  return start === end ? start : [start, end].filter(Boolean).join(' – ');
}
