import { hash } from 'node:crypto';
import sanitizeHtml from 'sanitize-html';
import type { Payload } from '../core/record.ts';
import { asObject, asText } from './resource.ts';
import type { Item } from './store/store.ts';
import type { SandboxUploads } from './store/upload-store.ts';

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
img{max-width:100%;height:auto}pre{white-space:pre-wrap;overflow-wrap:anywhere}th{text-align:left;vertical-align:top}`;

const styleHash = hash('sha256', style, 'base64');

/** No script at all, pictures of this site alone, and only the style sheet above. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "img-src 'self'",
  `style-src 'sha256-${styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The public view of an event: its text, its time, its pictures, and links to its other files. */
export function eventPage(id: number, data: Payload, uploads: SandboxUploads): string {
  const title = asText(data.title) ?? 'Untitled event';
  const description = sanitizeHtml(asText(data.description) ?? '');
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(whenText(data))}</p>
${files(data, uploads)}
<div>${description}</div>
<p><a href="/events/${id}.ics">Add to calendar</a></p>`,
  );
}

/** The start page: how much there is, and links to the newest events. */
export function indexPage(newest: Item[], totals: { events: number; accounts: number }): string {
  const lines = newest.map(({ id, data }) => {
    const title = asText(data.title) ?? 'Untitled event';
    return `<li><a href="/events/${id}">${escapeHtml(title)}</a>, ${escapeHtml(whenText(data))}</li>`;
  });
  const isPart = totals.events > lines.length;
  const events = `Events: ${totals.events}. ${isPart ? `The newest ${lines.length}:` : 'The newest first:'}`;
  return page(
    'Sandbox',
    `<h1>Sandbox</h1>
<p>${totals.events === 0 ? 'No events yet.' : events}</p>
<ul>
${lines.join('\n')}
</ul>
<p>${totals.accounts === 0 ? 'No accounts yet.' : `Accounts: ${totals.accounts}`}</p>`,
  );
}

/** Everything that is kept of an item, attribute by attribute. */
export function itemPage(name: string, values: Payload): string {
  const rows = Object.entries(values).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return `<tr><th>${escapeHtml(key)}</th><td><pre>${escapeHtml(text)}</pre></td></tr>`;
  });
  return page(name, `<h1>${escapeHtml(name)}</h1>\n<table>\n${rows.join('\n')}\n</table>`);
}

/** Pictures are shown, other uploaded files linked. A src that is no upload is not followed: it may lead anywhere. */
function files(data: Payload, uploads: SandboxUploads): string {
  const shown: string[] = [];
  for (const [key, value] of Object.entries(data)) {
    const file = asObject(value);
    const src = asText(file?.src);
    if (!src || !uploads.has(src)) continue;
    const alt = asText(file?.alt) ?? key;
    if (src.endsWith('.pdf')) shown.push(`<p><a href="${escapeHtml(src)}">${escapeHtml(alt)}</a></p>`);
    else shown.push(`<p><img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}"></p>`);
  }
  return shown.join('\n');
}

function whenText(data: Payload): string {
  const time = asObject(data.time);
  const start = [asText(data.date), asText(time?.start)].filter(Boolean).join(' ');
  const end = [asText(data.endDate), asText(time?.end)].filter(Boolean).join(' ');
  return start === end ? start : [start, end].filter(Boolean).join(' – ');
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>${style}</style></head>
<body>
${body}
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
