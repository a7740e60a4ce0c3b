import type { ProblemView } from '../../queries/views/shared.ts';
import type { Tone } from './badge.ts';
import { type Html, html } from './html.ts';

/** Something to be read before the rest. */
export function notice(tone: Tone, content: Html | string): Html {
  return html`<div class="notice ${tone}">${content}</div>`;
}

/** What happened, and what to do about it. The code is what the documentation of errors is searched for. */
export function problemNotice({ code, message, remedy }: ProblemView, tone: Tone = 'bad'): Html {
  return notice(
    tone,
    html`<p><strong>${message}</strong></p><p>${remedy}</p><p class="muted"><code>${code}</code></p>`,
  );
}

/** What a list says that has nothing in it. */
export function emptyState(text: Html | string): Html {
  return html`<p class="empty">${text}</p>`;
}

/** The link to the next page of a list; cursors lead forward only, the browser leads back. */
export function nextPage(address: string | undefined, text = 'Next page'): Html | undefined {
  return address === undefined ? undefined : html`<p class="next"><a rel="next" href="${address}">${text} →</a></p>`;
}
