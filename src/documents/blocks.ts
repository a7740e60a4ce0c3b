import type { Subject } from '../core/text/text-parts.ts';
import type { ProblemView } from '../queries/views/shared.ts';
import type { Block, Field, Form, Inline, Link, Medium, TableOptions, TextLook, Tone } from './document.ts';

/** A link that looks like a button. */
export function buttonTo(to: string, text: string, how: Link = {}): Block {
  return { is: 'text', look: 'bare', content: { is: 'link', to, text, isButton: true, ...how } };
}

export function paragraph(content: Inline, look?: TextLook): Block {
  return { is: 'text', content, look };
}

export function noticeOf(tone: Tone, ...paragraphs: readonly Inline[]): Block {
  return { is: 'notice', tone, paragraphs };
}

export function problemBlock(problem: ProblemView, about: Subject, tone: Tone = 'bad'): Block {
  return { is: 'problem', problem, tone, about };
}

export function factList(...facts: ReadonlyArray<readonly [string, Inline]>): Block {
  return { is: 'facts', facts };
}

export function section(id: string, title: string, ...blocks: readonly Block[]): Block {
  return { is: 'section', id, title, blocks };
}

export function foldOf(id: string, summary: Inline, ...blocks: readonly Block[]): Block {
  return { is: 'fold', id, summary, blocks };
}

export function tableOf<Row>(options: TableOptions<Row>): Block {
  return { is: 'table', ...options } as unknown as Block;
}

export function formOf(options: Form): Block {
  return { is: 'form', ...options };
}

export function field(kind: 'line' | 'choice' | 'check', of: Field): Block {
  return { is: 'field', kind, field: of };
}

/** A field for some lines, in which Enter decides nothing. */
export function noteField(of: Field): Block {
  return { is: 'field', kind: 'long', field: of };
}

/** A field for the reason of an action. */
export function reasonOf({ isRequired = false } = {}): Block {
  const label = isRequired ? 'Reason' : 'Reason (optional)';
  return noteField({ name: 'reason', label, hint: 'It is kept in the history, with your name.', isRequired });
}

/** Blocks that one medium alone has. */
export function inMedium(medium: Medium, ...blocks: readonly Block[]): Block {
  return { is: 'only', medium, blocks };
}

/** The link to the next page of a list; in a terminal, how many more there are. */
export function nextPage(to: string | undefined, text: string, more: string): Block {
  return to !== undefined && { is: 'next', to, text, more };
}

/** A section that is a table, unless it is empty. */
export function listSection<Row>(
  id: string,
  title: string,
  rows: readonly Row[],
  columns: TableOptions<Row>['columns'],
): Block {
  return rows.length > 0 && section(id, title, tableOf({ caption: title, columns, rows }));
}
