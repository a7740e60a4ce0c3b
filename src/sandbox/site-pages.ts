import sanitizeHtml from 'sanitize-html';
import { type Html, html, raw } from '../core/html/html.ts';
import type { Json, Payload } from '../core/record.ts';
import { eventKeys } from './events.ts';
import { asObject, asText } from './resource.ts';
import type { Item } from './store/store.ts';
import type { SandboxUploads } from './store/upload-store.ts';

/** The newest items, and how many there are. */
interface Newest {
  items: Item[];
  total: number;
}

/** The name of an event that people read. */
export function shownTitle(data: Payload): string {
  return asText(data.title) || 'Untitled event';
}

/** The public view of an event: its text, its time, its custom attributes, its pictures, and links to its other files. */
export function eventPage(data: Payload, uploads: SandboxUploads): Html {
  const description = sanitizeHtml(asText(data.description) ?? '');
  return html`<h1>${shownTitle(data)}</h1>
<p>${whenText(data)}</p>
<table>${customTexts(data).map(([name, text]) => html`<tr><th>${name}</th><td>${text}</td></tr>\n`)}</table>
${files(data, uploads)}
<div>${raw(description)}</div>`;
}

/** The start page: the events with place, category, price and the like, the newest first, and how many accounts there are. */
export function eventsPage({ items, total }: Newest, accounts: number): Html {
  return html`<h1>Sandbox</h1>
<p>${total === 0 ? 'No events yet.' : `Events: ${total}. The newest first:`}</p>
<ul>
${items.map(({ id, data }) => html`<li><a href="/events/${id}">${shownTitle(data)}</a>, ${detailsOf(data)} <a href="/admin/events/${id}">Edit</a></li>\n`)}</ul>
<p>${accounts === 0 ? 'No accounts yet.' : html`<a href="/admin/accounts">Accounts: ${accounts}</a>`}</p>`;
}

/** Links to the accounts, the newest first. */
export function accountsPage({ items, total }: Newest): Html {
  return html`<h1>Accounts</h1>
<p>${total === 0 ? 'No accounts yet.' : `Accounts: ${total}. The newest first:`}</p>
<ul>
${items.map(({ id, data }) => html`<li><a href="/admin/accounts/${id}">${accountName(id, data)}</a></li>\n`)}</ul>`;
}

/** Shows pictures, and links to other uploaded files. A src of no upload is not followed, because it may lead anywhere. */
function files(data: Payload, uploads: SandboxUploads): Html[] {
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

function detailsOf(data: Payload): string {
  return [whenText(data), ...customTexts(data).map(([name, text]) => `${name}: ${text}`)].join(' · ');
}

/** The custom attributes that are texts, numbers or lists of texts. */
function customTexts(data: Payload): Array<[name: string, text: string]> {
  return Object.entries(data).flatMap(([name, value]): Array<[string, string]> => {
    const text = eventKeys.has(name) ? '' : textOf(value);
    return text === '' ? [] : [[name, text]];
  });
}

function textOf(value: Json): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(', ');
  return typeof value === 'object' || typeof value === 'boolean' ? '' : String(value);
}
