import type { ActionName } from '../app/actions/actions.ts';
import type { Html } from '../core/html/html.ts';
import type { Json } from '../core/record.ts';
import type { Subject } from '../core/text/text-parts.ts';
import type { DifferenceView, ProblemView } from '../queries/views/shared.ts';

/** Meaning of a colour; each badge has a word, too. */
export type Tone = 'good' | 'info' | 'warning' | 'bad' | 'plain';

type Medium = 'page' | 'terminal';

/** A text, or a part of one. Each medium shows it in its way. */
export type Inline = string | number | boolean | null | undefined | readonly Inline[] | Span;

type Span =
  | ({ is: 'time'; at: string } & Clock)
  | { is: 'record'; sync: string; key: string; title?: string | undefined; beside?: 'cms' | undefined }
  | { is: 'button'; form: Form }
  | { is: 'differences'; id: string; differences: readonly DifferenceView[] }
  | { is: 'run'; run: string; text: Inline; unseen?: string | undefined }
  | ({ is: 'link'; to: string; text: Inline } & Link)
  | { is: 'markup'; html: Html | false }
  | { is: 'item'; cmsId?: number | undefined; link?: string | undefined }
  | { is: 'web'; address: string | undefined }
  | { is: 'badge'; tone: Tone; word: string }
  | { is: 'prose'; text: string; about: Subject }
  | { is: 'value'; value: Json | undefined; other?: { value: Json | undefined } | undefined }
  | { is: 'picture'; address: string; alt: string }
  | { is: 'strong' | 'quote' | 'muted' | 'why' | 'code' | 'key' | 'count' | 'setting'; content: Inline }
  | { is: 'lines'; lines: readonly Inline[] }
  | { is: 'only'; medium: Medium; content: Inline };

interface Clock {
  isShort?: boolean;
  /** Of a short time. */
  hasSeconds?: boolean;
  /** Whether it says how far away the time is. */
  hasDistance?: boolean;
}

interface Link {
  /** The command that shows the same. */
  command?: string;
  /** What tells the link from others for people who do not see where it is. */
  unseen?: string;
  isButton?: boolean;
  kind?: 'primary';
  isFile?: boolean;
  /** Whether it opens a new tab. */
  isOutside?: boolean;
  /** Whether it loads only the content of the page. */
  isSwapped?: boolean;
}

export interface DocumentColumn<Row> {
  head: string;
  cell(row: Row): Inline;
  /** Numbers are aligned on their right. */
  kind?: 'number' | 'time' | 'key';
  /** Whether it is left out where there is little room: on narrow screens, and in a terminal. */
  isExtra?: boolean;
  /** Whether the cell is the heading of its row. */
  isHeading?: boolean;
  /** Absent: both have the column. */
  medium?: Medium;
}

interface Table<Row> {
  caption: string;
  columns: ReadonlyArray<DocumentColumn<Row> | false>;
  rows: readonly Row[];
  /** In a form, the name of a row that can be selected. */
  choice?(row: Row): string | undefined;
}

/** What happens, or has happened, to an item. */
export interface Change {
  effect: ChangeEffect;
  key: string;
  title?: string | undefined;
  cmsId?: number | undefined;
  link?: string | undefined;
  /** Where the record is in the feed. */
  place?: string | undefined;
  /** What there is to say in place of the differences. */
  note?: Inline;
  differences: readonly DifferenceView[];
}

/** An effect of a change: its colour, its word on a page, and how a line of a terminal begins. */
export type ChangeEffect = readonly [Tone, string, string];

interface Changes {
  id: string;
  caption: string;
  sync: string;
  /** Heads of the effects, and of values before and after. */
  heads: readonly [string, string, string];
  rows: readonly Change[];
}

interface Field {
  name: string;
  /** Absent: the name. */
  id?: string;
  label: string;
  hint?: string;
  isRequired?: boolean;
  type?: 'text' | 'number' | 'date';
  options?: ReadonlyArray<readonly [value: string, text: string]>;
}

/** A form that starts an action; in a terminal, the command that does the same. */
interface Form {
  does: ActionName | 'examine';
  to?: Readonly<Record<string, string>>;
  label: string;
  kind?: 'primary' | 'danger';
  hidden?: Readonly<Record<string, string | readonly string[]>>;
  /** What the button adds, if there are several. */
  button?: { name: string; value: string };
  /** A second button: another value, or another action with the same fields, which comes first. */
  also?: { label: string; name: string; value: string; command?: string } | undefined;
  instead?: { does: ActionName; label: string };
  /** What people see who may not do it. */
  otherwise?: string;
  command?: string;
  /** Whether it is in a fold. */
  folded?: { id: string; summary: string };
  blocks?: readonly Block[];
}

type Look = 'empty' | 'muted' | 'bare' | 'actions';

export type Block =
  | false
  | undefined
  | { is: 'text'; content: Inline; look?: Look | undefined }
  | { is: 'notice'; tone: Tone; paragraphs: readonly Inline[] }
  | { is: 'box'; tone: Tone; blocks: readonly Block[] }
  | { is: 'problem'; problem: ProblemView; tone: Tone; about: Subject }
  | { is: 'facts'; facts: ReadonlyArray<readonly [string, Inline]> }
  | { is: 'remedy'; text: string; about: Subject }
  /** `code` is for programs and support: a terminal shows it. */
  | { is: 'section'; id: string; title: string; count?: string; code?: string; blocks: readonly Block[] }
  | { is: 'fold'; id: string; summary: Inline; blocks: readonly Block[]; isOpen?: boolean }
  | { is: 'list'; items: readonly Inline[] }
  | ({ is: 'table' } & Table<never>)
  | ({ is: 'changes' } & Changes)
  | { is: 'differences'; differences: readonly DifferenceView[]; heads?: [string, string] }
  | { is: 'copy'; label: string; text: string }
  | ({ is: 'form' } & Form)
  | { is: 'field'; kind: 'line' | 'long' | 'choice' | 'check'; field: Field }
  /** What only those see who may do something. */
  | { is: 'allowed'; does: ActionName; blocks: readonly Block[] }
  | { is: 'heading'; title: string }
  /** What screen readers announce when it changes. */
  | { is: 'live'; blocks: readonly Block[] }
  | { is: 'actions'; blocks: readonly Block[] }
  | { is: 'next'; to: string; text: string; command?: string | undefined }
  | { is: 'only'; medium: Medium; blocks: readonly Block[] }
  | { is: 'markup'; html: Html };

/** What a page and a command say about one subject. */
export interface Document {
  title: string;
  /** The sync that it is about, and the run: pages lead to them. */
  sync?: string;
  run?: string;
  /** Whether it is about a record of the sync. */
  isRecord?: boolean;
  /** Which of the pages of the sync it is. */
  tab?: 'sync' | 'runs' | 'records' | 'rejects' | 'verification' | 'questions';
  /** Links and forms beside the heading of a page. */
  aside?: readonly Block[];
  blocks: readonly Block[];
  /** Interval at which a page is loaded again. */
  refreshSeconds?: number;
}

/** A text with parts in it. */
export function say(strings: TemplateStringsArray, ...cells: readonly Inline[]): Inline {
  return strings.flatMap((text, place) => [text, cells[place]]);
}

export function timeAt(at: string, how: Clock = {}): Span {
  return { is: 'time', at, ...how };
}

/** @param beside what the page of the record compares it with */
export function recordRef(
  sync: string,
  { key, title }: { key: string; title?: string | undefined },
  beside?: 'cms',
): Span {
  return { is: 'record', sync, key, title, beside };
}

/** @param unseen what tells the link from others for people who do not see where it is */
export function runRef(run: string, text: Inline, unseen?: string): Span {
  return { is: 'run', run, text, unseen };
}

/** A link to a page; in a terminal, the text alone, and the command that shows the same. */
export function linkTo(to: string, text: Inline, how: Link = {}): Span {
  return { is: 'link', to, text, ...how };
}

/** A link that looks like a button. */
export function buttonTo(to: string, text: string, how: Link = {}): Block {
  return { is: 'text', look: 'bare', content: { is: 'link', to, text, isButton: true, ...how } };
}

export function mark([tone, word]: readonly [Tone, string, string?]): Span {
  return { is: 'badge', tone, word };
}

export function proseOf(text: string, about: Subject = {}): Span {
  return { is: 'prose', text, about };
}

export function styled(is: Extract<Span, { content: Inline; medium?: never }>['is'], content: Inline): Span {
  return { is, content };
}

export function inTerminal(content: Inline): Span {
  return { is: 'only', medium: 'terminal', content };
}

export function onPage(content: Inline): Span {
  return { is: 'only', medium: 'page', content };
}

export function paragraph(content: Inline, look?: Look): Block {
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

export function tableOf<Row>(options: Table<Row>): Block {
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

/** The link to the next page of a list; in a terminal, the command that lists more. */
export function nextPage(to: string | undefined, text: string, command?: string): Block {
  return to !== undefined && { is: 'next', to, text, command };
}
