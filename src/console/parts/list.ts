import { type Html, html } from '../../core/html/html.ts';
import { withQuery } from '../../core/text/addresses.ts';
import { emptyState } from './notice.ts';

/** A list that is read in pages. */
interface ListOptions<Row> {
  /** Address of the page that has the list. */
  path: string;
  /** The present values of the filters, which the next page keeps. */
  query?: Readonly<Record<string, string | undefined>>;
  rows: Row[];
  show(rows: Row[]): Html;
  /** Text in place of an empty list. */
  empty: Html | string;
  /** Cursor of the next page. */
  next: string | undefined;
  /** Text of the link to the next page. */
  more: string;
  /** Name of the cursor in the address, if the page has several lists: also the id of the list's heading. */
  name?: string;
}

/** A list, or a text if it is empty, and the link to its next page. Cursors lead forward only, the browser leads back. */
export function pagedList<Row>({ path, query, rows, show, empty, next, more, name }: ListOptions<Row>): Html {
  const address = next && `${withQuery(path, { ...query, [name ?? 'after']: next })}${name ? `#${name}` : ''}`;
  return html`${rows.length === 0 ? emptyState(empty) : show(rows)}
${address && html`<p class="next"><a rel="next" href="${address}">${more} →</a></p>`}`;
}

/** The form above a list: fields that filter or search it, without JavaScript. */
export function filterForm({ path, fields, button }: { path: string; fields: Html; button: string }): Html {
  return html`<form class="search" role="search" method="get" action="${path}">
${fields}<button class="primary">${button}</button></form>`;
}
