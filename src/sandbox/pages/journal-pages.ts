import { html } from '../../core/html.ts';
import type { Exchange, ItemChange } from '../journal/exchange.ts';
import type { Markup } from './layout.ts';

const mostRows = 100;

const filters = [
  ['All', ''],
  ['Changes', '?changed=true'],
  ['Client errors', '?status=4xx'],
  ['Server errors', '?status=5xx'],
  ['Broken connections', '?status=0'],
] as const;

/** The list of exchanges, the latest first. */
export function journalPage(exchanges: Exchange[]): Markup {
  const shown = exchanges.slice(-mostRows).reverse();
  return html`<h1>Journal</h1>
<p class="filters">${filters.map(([name, query]) => html`<a href="/admin/journal${query}">${name}</a> `)}</p>
<p>${countText(exchanges.length)}</p>
<table><thead><tr><th>Time</th><th>Request</th><th>Status</th><th>ms</th><th>Changed</th><th>Faults</th></tr></thead>
<tbody>${shown.map(row)}</tbody></table>`;
}

/** One exchange: what was sent, what was returned, and what it changed. */
export function exchangePage(exchange: Exchange): Markup {
  const { id, at, method, path, status, ms, complete, faults, change } = exchange;
  return html`<h1 class="long">${method} ${path}</h1>
<p>Exchange ${id}, ${at}: ${statusText(status)} after ${ms} ms${!complete && status > 0 && ', cut off'}.</p>
${faults.length > 0 && html`<h2>Faults</h2>\n${faults.map((fault) => html`<pre>${JSON.stringify(fault)}</pre>`)}`}
${change && changeTable(change)}
<h2>Request</h2>
${message(exchange.requestHeaders, exchange.requestBody)}
<h2>Response</h2>
${message(exchange.responseHeaders, exchange.responseBody)}`;
}

function row(exchange: Exchange): Markup {
  const { id, at, method, path, status, ms, change } = exchange;
  const item = change && `${change.resource}/${change.id}`;
  return html`<tr><td>${at.slice(11, 23)}</td><td><a class="long" href="/admin/journal/${id}">${method} ${path}</a></td>
<td>${statusText(status)}</td><td>${ms}</td>
<td>${item && html`<a href="/admin/journal?item=${item}">${item}</a>`}</td><td>${faultText(exchange)}</td></tr>`;
}

function countText(count: number): string {
  if (count === 0) return 'No requests.';
  return count > mostRows ? `Requests: ${count}. The latest ${mostRows}:` : `Requests: ${count}. The latest first:`;
}

function statusText(status: number): string {
  return status === 0 ? 'broken' : String(status);
}

function faultText({ faults }: Exchange): string {
  return faults.map(({ kind }) => kind).join(', ');
}

/** The attributes that differ, before and after. */
function changeTable({ resource, id, before, after }: ItemChange): Markup {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const cells = names.map((name) => ({ name, cells: [text(before?.[name]), text(after?.[name])] as const }));
  const rows = cells.filter(({ cells: [one, other] }) => one !== other);
  const done = before === null ? 'Created' : after === null ? 'Deleted' : 'Changed';
  return html`<h2>${done}: <a href="/admin/${resource}/${id}">${resource}/${id}</a></h2>
<table><thead><tr><th>Attribute</th><th>Before</th><th>After</th></tr></thead>
<tbody>${rows.map(({ name, cells: [one, other] }) => html`<tr><td>${name}</td><td><pre>${one}</pre></td><td><pre>${other}</pre></td></tr>`)}</tbody></table>
<p><a href="/admin/journal?item=${resource}/${id}">All changes of ${resource}/${id}</a></p>`;
}

function message(headers: Record<string, string>, body: string): Markup {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return html`<pre>${lines.join('')}\n${indented(body)}</pre>`;
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function text(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
