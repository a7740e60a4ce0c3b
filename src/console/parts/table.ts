import { type Html, html } from '../../core/html/html.ts';

/** A column of a table, with a function that returns its cell of a row. */
export interface ShownColumn<Row> {
  head: string;
  cell(row: Row): Html | string | number | undefined | false;
  /** Numbers are aligned on their right. */
  kind?: 'number' | 'time' | 'key';
  /** Whether screens hide the column that are too narrow for all columns. Cards show all. */
  isExtra?: boolean;
  /** Whether the cell is the heading of its row. */
  isHeading?: boolean;
}

/**
 * A table with headings. A table wider than the screen has its own scroll bar, which also works with the keyboard. Small screens show
 * each row as a card, with the heading of each column beside its cell; the roles are written, because a table that is not laid out as
 * one would lose them.
 * @param caption names the table; visible only with `showsCaption`
 */
export function table<Row>(options: {
  caption: string;
  showsCaption?: boolean;
  columns: ReadonlyArray<ShownColumn<Row> | false>;
  rows: readonly Row[];
}): Html {
  const { caption, showsCaption, rows } = options;
  const columns = options.columns.filter((column) => column !== false);
  return html`<div class="table" role="group" aria-label="${caption}" tabindex="0"><table role="table">
<caption${!showsCaption && html` class="unseen"`}>${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col"${classOf(column)}>${column.head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => html`<tr role="row">${columns.map((column) => cell(column, row))}</tr>`)}</tbody>
</table></div>`;
}

/** List of names and values. Names without a value are left out. */
export function facts(
  entries: ReadonlyArray<readonly [string, Html | string | number | undefined | null | false]>,
): Html {
  const given = entries.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '');
  return html`<dl class="facts">${given.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function cell<Row>(column: ShownColumn<Row>, row: Row): Html {
  const content = column.cell(row);
  if (column.isHeading) return html`<th role="rowheader" scope="row"${classOf(column)}>${content}</th>`;
  return html`<td role="cell" data-label="${column.head}"${classOf(column)}>${content}</td>`;
}

function classOf({ kind, isExtra }: Pick<ShownColumn<never>, 'kind' | 'isExtra'>): Html | undefined {
  const names = [kind, isExtra && 'extra'].filter(Boolean).join(' ');
  return names === '' ? undefined : html` class="${names}"`;
}
