import { type Html, html } from '../../core/html/html.ts';
import { consolePlace } from '../../core/text/console-places.ts';
import { capitalised } from '../../core/text/figures.ts';
import { type Subject, textParts } from '../../core/text/text-parts.ts';

/**
 * A message or remedy in a sentence of a page: settings as code, and a link in place of each command that the console has a button
 * for. Lines to copy are left out; `linesToCopy` shows them.
 */
export function prose(text: string, subject: Subject = {}): Html {
  let before = '';
  const shown = textParts(text, subject).map(({ is, text: part }) => {
    if (is === 'lines') return undefined;
    const place = is === 'command' ? consolePlace(part, subject) : undefined;
    const isFirst = /(^|[.!?]\s+)$/.test(before);
    before = part;
    if (place) return html`<a href="${place.path}">${isFirst ? capitalised(place.text) : place.text}</a>`;
    return is === 'words' ? html`${part}` : html`<code>${part}</code>`;
  });
  return html`${shown}`;
}

/** The lines of a message or remedy that are to be copied into a file; one click selects them. */
export function linesToCopy(text: string): Html | undefined {
  const lines = textParts(text).filter(({ is }) => is === 'lines');
  if (lines.length === 0) return undefined;
  return html`${lines.map((part) => html`<pre class="copy" tabindex="0" role="group" aria-label="Lines to copy">${part.text}</pre>`)}`;
}
