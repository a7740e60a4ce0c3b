import type { Subject } from '../core/text/text-parts.ts';
import type { Inline, Link, Span, TimeLook, Tone } from './document.ts';

/** A text with parts in it. */
export function say(strings: TemplateStringsArray, ...cells: readonly Inline[]): Inline {
  return strings.flatMap((text, place) => [text, cells[place]]);
}

export function timeAt(at: string, how: TimeLook = {}): Span {
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

export function mark([tone, word]: readonly [Tone, string, string?]): Span {
  return { is: 'badge', tone, word };
}

export function proseOf(text: string, about: Subject = {}): Span {
  return { is: 'prose', text, about };
}

/** A remedy. */
export function adviceOf(text: string, about: Subject): Span {
  return { is: 'advice', text, about };
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
