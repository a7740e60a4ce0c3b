import type { ActionName } from '../app/actions/actions.ts';
import type { Html } from '../core/html/html.ts';
import type { Json } from '../core/record.ts';
import type { Subject } from '../core/text/text-parts.ts';
import type { DifferenceView, ProblemView } from '../queries/views/shared.ts';

/** Meaning of a colour; each badge has a word, too. */
export type Tone = 'good' | 'info' | 'warning' | 'bad' | 'plain';

export type Medium = 'page' | 'terminal';

/** A text, or a part of one. Each medium shows it in its way. */
export type Inline = string | number | boolean | null | undefined | readonly Inline[] | Span;

export type Span =
  | ({ is: 'time'; at: string } & TimeLook)
  | { is: 'record'; sync: string; key: string; title?: string | undefined; beside?: 'cms' | undefined }
  | { is: 'button'; form: Form }
  | { is: 'differences'; id: string; differences: readonly DifferenceView[] }
  | { is: 'run'; run: string; text: Inline; unseen?: string | undefined }
  | ({ is: 'link'; to: string; text: Inline } & Link)
  | { is: 'markup'; html: Html | false }
  | { is: 'item'; cmsId?: number | undefined; link?: string | undefined }
  | { is: 'web'; address: string | undefined }
  | { is: 'badge'; tone: Tone; word: string }
  | { is: 'prose' | 'advice'; text: string; about: Subject }
  | { is: 'value'; value: Json | undefined; other?: { value: Json | undefined } | undefined }
  | { is: 'picture'; address: string; alt: string }
  | { is: 'strong' | 'quote' | 'muted' | 'why' | 'code' | 'key' | 'count' | 'setting'; content: Inline }
  | { is: 'lines'; lines: readonly Inline[] }
  | { is: 'only'; medium: Medium; content: Inline };

export interface TimeLook {
  isShort?: boolean;
  /** Of a short time. */
  hasSeconds?: boolean;
  /** Whether it says how far away the time is. */
  hasDistance?: boolean;
}

export interface Link {
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

export interface TableOptions<Row> {
  caption: string;
  columns: ReadonlyArray<DocumentColumn<Row> | false>;
  rows: readonly Row[];
  /** In a form, what is sent of a row that can be selected, and its name for people. */
  choice?(row: Row): { name: string; title: string } | undefined;
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

export interface Field {
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
export interface Form {
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

export type TextLook = 'empty' | 'muted' | 'bare' | 'actions';

export type Block =
  | false
  | undefined
  | { is: 'text'; content: Inline; look?: TextLook | undefined }
  | { is: 'notice'; tone: Tone; paragraphs: readonly Inline[] }
  | { is: 'box'; tone: Tone; blocks: readonly Block[] }
  | { is: 'problem'; problem: ProblemView; tone: Tone; about: Subject }
  | { is: 'facts'; facts: ReadonlyArray<readonly [string, Inline]> }
  | { is: 'remedy'; text: string; about: Subject }
  /** `code` is for programs and support: a terminal shows it. */
  | { is: 'section'; id: string; title: string; count?: string; code?: string; blocks: readonly Block[] }
  | { is: 'fold'; id: string; summary: Inline; blocks: readonly Block[]; isOpen?: boolean }
  | { is: 'list'; items: readonly Inline[] }
  | ({ is: 'table' } & TableOptions<never>)
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
  | { is: 'next'; to: string; text: string; more: string }
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
