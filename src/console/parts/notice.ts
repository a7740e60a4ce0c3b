import { type Html, html } from '../../core/html/html.ts';
import { withLabels } from '../../core/text/attribute-label.ts';
import { consolePlace, splitAdvice } from '../../core/text/console-places.ts';
import { capitalised } from '../../core/text/figures.ts';
import { type Subject, textParts } from '../../core/text/text-parts.ts';
import type { Tone } from '../../documents/document.ts';
import type { ProblemView } from '../../queries/views/shared.ts';

/** A box that people should read before the rest of the page. */
export function notice(tone: Tone, content: Html | string): Html {
  return html`<div class="notice ${tone}">${content}</div>`;
}

/** What happened, and what to do about it. With the code, people can search the documentation of errors. */
export function problemNotice({ code, message, remedy }: ProblemView, tone: Tone = 'bad', subject?: Subject): Html {
  return notice(
    tone,
    html`<p><strong>${prose(message, subject)}</strong></p>${linesToCopy(message)}${advice(remedy, subject, code)}`,
  );
}

/** A remedy, with what only the people who run feedferry understand in a fold. @param code of the problem, for support */
export function advice(remedy: string, subject: Subject = {}, code?: string): Html {
  const { plain, technical } = splitAdvice(remedy, subject);
  const shown = plain || (technical && 'The people who run feedferry can correct it.');
  const folded = html`${technical && html`<p>${prose(technical, subject)}</p>${linesToCopy(technical)}`}${code !== undefined && html`<code>${code}</code>`}`;
  return html`${shown && html`<p>${prose(shown, subject)}</p>`}${(technical || code !== undefined) && html`<details><summary class="muted">For support</summary>${folded}</details>`}`;
}

/** What a form has led to. It has the focus when the page comes back, so that it is read out. */
export function formResult(content: Html): Html {
  return html`<div id="result" tabindex="-1">${content}</div>`;
}

/** A text that screen readers announce when a refresh changes it; nobody sees it. */
export function announced(text: string): Html {
  return html`<p class="unseen" role="status">${text}</p>`;
}

/** Text in place of an empty list. */
export function emptyState(text: Html | string): Html {
  return html`<p class="empty">${text}</p>`;
}

/**
 * A message or remedy in a sentence of a page: settings as code, and a link in place of each command that the console has a button
 * for. Lines to copy are left out; `linesToCopy` shows them.
 */
export function prose(text: string, subject: Subject = {}): Html {
  let before = '';
  const linked = new Set<string>();
  const shown = textParts(text, subject).map(({ is, text: part }) => {
    if (is === 'lines') return undefined;
    const place = is === 'command' ? consolePlace(part, subject) : undefined;
    const isFirst = /(^|[.!?]\s+)$/.test(before);
    before = part;
    if (place) {
      const words = isFirst ? capitalised(place.text) : place.text;
      if (linked.has(place.path)) return html`${words}`;
      linked.add(place.path);
      return html`<a href="${place.path}">${words}</a>`;
    }
    return is === 'words' ? html`${withLabels(part)}` : html`<code>${part}</code>`;
  });
  return html`${shown}`;
}

/** The lines of a message or remedy that are to be copied into a file; one click selects them. */
export function linesToCopy(text: string): Html | undefined {
  const lines = textParts(text).filter(({ is }) => is === 'lines');
  if (lines.length === 0) return undefined;
  return html`${lines.map((part) => html`<pre class="copy" tabindex="0" role="group" aria-label="Lines to copy">${part.text}</pre>`)}`;
}

/** A word on a colour. */
export function badge(tone: Tone, word: string): Html {
  return html`<span class="badge ${tone}">${word}</span>`;
}
