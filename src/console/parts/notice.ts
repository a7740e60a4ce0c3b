import type { ProblemView } from '../../queries/views/shared.ts';
import type { Tone } from './badge.ts';
import { type Html, html } from './html.ts';

/** A box that people should read before the rest of the page. */
export function notice(tone: Tone, content: Html | string): Html {
  return html`<div class="notice ${tone}">${content}</div>`;
}

/** What happened, and what to do about it. With the code, people can search the documentation of errors. */
export function problemNotice({ code, message, remedy }: ProblemView, tone: Tone = 'bad'): Html {
  return notice(
    tone,
    html`<p><strong>${message}</strong></p><p>${remedy}</p><p class="muted"><code>${code}</code></p>`,
  );
}

/** Text in place of an empty list. */
export function emptyState(text: Html | string): Html {
  return html`<p class="empty">${text}</p>`;
}

/** The link to the next page of a list; cursors lead forward only, the browser leads back. */
export function nextPage(address: string | undefined, text = 'Next page'): Html | undefined {
  return address === undefined ? undefined : html`<p class="next"><a rel="next" href="${address}">${text} →</a></p>`;
}
