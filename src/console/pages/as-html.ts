import { type Html, html } from '../../core/html/html.ts';
import { recordsPath, runPath } from '../../core/text/addresses.ts';
import { fromNow } from '../../core/text/figures.ts';
import type { Block, Change, Document, DocumentColumn, Inline } from '../../documents/document.ts';
import { mayDo } from '../access/viewer.ts';
import { acting } from '../api/acting.ts';
import { fullTime, shortTime } from '../parts/figures.ts';
import { actionForm, actionPath, checkField, longField, selectField, textField } from '../parts/form.ts';
import { itemNumber, recordLink, webLink } from '../parts/link.ts';
import { advice, badge, emptyState, notice, problemNotice, prose } from '../parts/notice.ts';
import { syncCrumbs, syncTabs } from '../parts/sync-tabs.ts';
import { facts, type ShownColumn, table } from '../parts/table.ts';
import { differenceDetails, differenceTable, markedText, thumbnail, valueText } from '../parts/value.ts';
import type { PageContent, PageContext } from './page.ts';

type BlockOf<Is extends string> = Extract<Block, { is: Is }>;
type SpanOf<Is extends string> = Extract<Inline, { is: Is }>;

/** In a form that the viewer may send, rows of tables can be selected. */
interface Context extends PageContext {
  isInForm?: boolean;
}

/** A document as a page. */
export function pageOfDocument(document: Document, context: PageContext): PageContent {
  const { title, sync, run, isRecord, tab, aside, blocks, refreshSeconds } = document;
  const above = [
    ...(sync === undefined ? [{ to: '/', text: 'Overview' }] : syncCrumbs(sync)),
    ...(run === undefined ? [] : [{ to: runPath(run), text: 'Run' }]),
    ...(sync !== undefined && isRecord ? [{ to: recordsPath(sync), text: 'Records' }] : []),
  ];
  return {
    title,
    crumbs: above,
    ...(aside && { aside: asHtml(aside, context) }),
    ...(refreshSeconds !== undefined && { refreshSeconds }),
    body: html`${sync !== undefined && tab && syncTabs(sync, tab)}${asHtml(blocks, context)}`,
  };
}

export function asHtml(blocks: readonly Block[], context: Context): Html {
  return html`${blocks.map((block) => block && html`${blockHtml(block, context)}\n`)}`;
}

function blockHtml(block: Exclude<Block, false | undefined>, context: Context): Html | undefined | false {
  const show = (cell: Inline) => cellHtml(cell, context);
  switch (block.is) {
    case 'text':
      if (block.look === 'bare') return html`${show(block.content)}`;
      return block.look === 'empty'
        ? emptyState(html`${show(block.content)}`)
        : html`<p${block.look && html` class="${block.look}"`}>${show(block.content)}</p>`;
    case 'notice': {
      const [first, ...others] = block.paragraphs;
      return notice(
        block.tone,
        others.length === 0
          ? html`${show(first)}`
          : html`${block.paragraphs.map((each) => html`<p>${show(each)}</p>`)}`,
      );
    }
    case 'box':
      return notice(block.tone, asHtml(block.blocks, context));
    case 'problem':
      return problemNotice(block.problem, block.tone, block.about);
    case 'remedy':
      return advice(block.text, block.about);
    case 'facts':
      return facts(block.facts.map(([name, cell]) => [name, isBlank(cell) ? undefined : html`${show(cell)}`]));
    case 'section':
      return html`<section aria-labelledby="${block.id}"><h2 id="${block.id}">${block.title}${block.count !== undefined && html` <span class="count">${block.count}</span>`}</h2>${asHtml(block.blocks, context)}</section>`;
    case 'fold':
      return html`<details id="${block.id}"${block.isOpen && html` open`}><summary>${show(block.summary)}</summary>${asHtml(block.blocks, context)}</details>`;
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${show(item)}</li>`)}</ul>`;
    case 'table':
      return tableHtml(block, context);
    case 'changes':
      return changesHtml(block, context);
    case 'differences':
      return differenceTable(block.differences, block.heads);
    case 'copy':
      return html`<pre tabindex="0" role="group" aria-label="${block.label}">${block.text}</pre>`;
    case 'form':
      return formHtml(block, context);
    case 'field':
      return fieldHtml(block);
    case 'allowed':
      return mayDo(context.viewer, acting[block.does].role) && asHtml(block.blocks, context);
    case 'heading':
      return html`<h2>${block.title}</h2>`;
    case 'live':
      return html`<div aria-live="polite">${asHtml(block.blocks, context)}</div>`;
    case 'actions':
      return html`<div class="actions">${asHtml(block.blocks, context)}</div>`;
    case 'next':
      return html`<p class="next"><a rel="next" href="${block.to}">${block.text} →</a></p>`;
    case 'only':
      return block.medium === 'page' && asHtml(block.blocks, context);
    case 'markup':
      return block.html;
  }
}

/** Whether a page shows nothing of it. */
function isBlank(cell: Inline): boolean {
  if (typeof cell !== 'object' || cell === null)
    return cell === undefined || cell === null || cell === false || cell === '';
  return isList(cell) ? cell.every(isBlank) : cell.is === 'only' && (cell.medium !== 'page' || isBlank(cell.content));
}

function tableHtml({ caption, columns, rows, choice }: BlockOf<'table'>, context: Context): Html {
  const column = ({ head, cell, kind, isExtra, isHeading }: DocumentColumn<never>): ShownColumn<never> => ({
    ...{ head, kind, isExtra, isHeading },
    cell: (row) => cellHtml(cell(row), context),
  });
  const select: ShownColumn<never> = {
    head: 'Select',
    cell: (row) => {
      const { name, title } = choice?.(row) ?? {};
      return (
        name !== undefined &&
        html`<input type="checkbox" name="keys" value="${name}" aria-label="Select ${title || name}">`
      );
    },
  };
  const shown = columns.filter((each) => each !== false && each.medium !== 'terminal') as Array<DocumentColumn<never>>;
  return table({
    caption,
    rows,
    columns: [choice !== undefined && context.isInForm === true && select, ...shown.map(column)],
  });
}

function changesHtml({ id, caption, sync, heads, rows }: BlockOf<'changes'>, context: Context): Html {
  const [would, ...values] = heads;
  return table<Change>({
    caption,
    columns: [
      { head: would, cell: ({ effect: [tone, word] }) => badge(tone, word) },
      { head: 'Record', isHeading: true, cell: (row) => recordLink(sync, row) },
      { head: 'Item', kind: 'number', cell: itemNumber },
      rows.some(({ place }) => place) && {
        head: 'Place in the feed',
        kind: 'key',
        isExtra: true,
        cell: ({ place }) => place,
      },
      {
        head: 'What changes',
        cell: ({ key, note, differences }) =>
          isBlank(note) ? differenceDetails(`${id}-${key}`, differences, values) : cellHtml(note, context),
      },
    ],
    rows,
  });
}

/** People who may not do it see what is in the form, without its fields. */
function formHtml(
  { otherwise, blocks, instead, also, folded, ...form }: BlockOf<'form'>,
  context: Context,
): Html | undefined {
  const { viewer } = context;
  if (!mayDo(viewer, acting[form.does].role)) {
    const shown = folded
      ? []
      : (blocks ?? []).filter((block) => block && block.is !== 'field' && block.is !== 'heading');
    return html`${otherwise !== undefined && notice('plain', otherwise)}${asHtml(shown, context)}`;
  }
  const missing =
    form.hidden?.hint !== undefined &&
    html`<p class="notice warning if-target" id="${String(form.hidden.hint)}" role="alert">Select at least one.</p>`;
  const first = instead && html`<button formaction="${actionPath(instead.does, form.to)}">${instead.label}</button> `;
  const shown = actionForm({
    ...form,
    viewer,
    fields: blocks && html`${asHtml(blocks, { ...context, isInForm: true })}${missing}${first}`,
    also: also && html`<button name="${also.name}" value="${also.value}">${also.label}</button>`,
  });
  if (!folded) return shown;
  return html`<details id="${folded.id}"><summary>${folded.summary}</summary>${shown}</details>`;
}

function fieldHtml({ kind, field: { options = [], hint = '', type, ...of } }: BlockOf<'field'>): Html {
  if (kind === 'long') return longField({ ...of, hint });
  if (kind === 'choice') return selectField({ ...of, options });
  if (kind === 'check') return checkField(of);
  return textField({ ...of, ...(type && { type }), ...(hint && { hint }), autocomplete: 'off' });
}

type Shown = Html | string | number | undefined | false;

export function cellHtml(cell: Inline, context: Context): Shown {
  if (cell === undefined || cell === null || typeof cell === 'boolean') return undefined;
  if (typeof cell !== 'object') return cell;
  if (isList(cell)) return html`${cell.map((each) => cellHtml(each, context))}`;
  const content = 'content' in cell ? cellHtml(cell.content, context) : undefined;
  switch (cell.is) {
    case 'time': {
      const time = cell.isShort
        ? shortTime(cell.at, context, { withSeconds: cell.hasSeconds })
        : fullTime(cell.at, context);
      return cell.hasDistance ? html`${time} (${fromNow(cell.at, context)})` : time;
    }
    case 'record':
      return recordLink(cell.sync, cell, cell.beside);
    case 'button':
      return formHtml({ is: 'form', ...cell.form }, context);
    case 'setting':
      return html`<details><summary>Setting</summary><code>${content}</code></details>`;
    case 'run':
      return html`<a href="${runPath(cell.run)}">${cellHtml(cell.text, context)}${cell.unseen && html`<span class="unseen"> ${cell.unseen}</span>`}</a>`;
    case 'link':
      return linkHtml(cell, context);
    case 'item':
      return itemNumber(cell);
    case 'web':
      return webLink(cell.address);
    case 'badge':
      return badge(cell.tone, cell.word);
    case 'prose':
      return prose(cell.text, cell.about);
    case 'advice':
      return advice(cell.text, cell.about);
    case 'value':
      return cell.other ? markedText(cell.value, cell.other.value, 'ins') : valueText(cell.value);
    case 'markup':
      return cell.html;
    case 'differences':
      return differenceDetails(cell.id, cell.differences);
    case 'picture':
      return thumbnail(cell.address, cell.alt);
    case 'lines':
      return html`<ul>${cell.lines.map((line) => html`<li>${cellHtml(line, context)}</li>`)}</ul>`;
    case 'only':
      return cell.medium === 'page' ? content : undefined;
    case 'strong':
      return html`<strong>${content}</strong>`;
    case 'quote':
      return html`<q>${content}</q>`;
    case 'code':
      return html`<code>${content}</code>`;
    default:
      return html`<span class="${cell.is}">${content}</span>`;
  }
}

function linkHtml({ to, text, unseen, isButton, kind, isFile, ...how }: SpanOf<'link'>, context: Context): Html {
  const names = ['button', kind].filter(Boolean).join(' ');
  const tab = how.isOutside && html` target="_blank" rel="noreferrer noopener"`;
  const swap = how.isSwapped && html` hx-get="${to}" hx-target="#content" hx-swap="innerMorph"`;
  const more = [unseen, how.isOutside && '(opens a new tab)'].filter(Boolean).join(' ');
  return html`<a${isButton && html` class="${names}"`} href="${to}"${tab}${swap}${isFile && html` download`}>${cellHtml(text, context)}${more !== '' && html`<span class="unseen"> ${more}</span>`}</a>`;
}

function isList(cell: object): cell is readonly Inline[] {
  return Array.isArray(cell);
}
