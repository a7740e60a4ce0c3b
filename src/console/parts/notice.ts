import { type Html, html } from '../../core/html/html.ts';
import type { Subject } from '../../core/text/text-parts.ts';
import type { Tone } from '../../documents/document.ts';
import type { ProblemView } from '../../queries/views/shared.ts';
import { linesToCopy, prose } from './prose.ts';

/** A box that people should read before the rest of the page. */
export function notice(tone: Tone, content: Html | string): Html {
  return html`<div class="notice ${tone}">${content}</div>`;
}

/** What happened, and what to do about it. With the code, people can search the documentation of errors. */
export function problemNotice({ code, message, remedy }: ProblemView, tone: Tone = 'bad', subject?: Subject): Html {
  return notice(
    tone,
    html`<p><strong>${prose(message, subject)}</strong></p>${linesToCopy(message)}<p>${prose(remedy, subject)}</p>${linesToCopy(remedy)}<details><summary class="muted">Code</summary><code>${code}</code></details>`,
  );
}

/** A text that screen readers announce when a refresh changes it; nobody sees it. */
export function announced(text: string): Html {
  return html`<p class="unseen" role="status">${text}</p>`;
}

/** Text in place of an empty list. */
export function emptyState(text: Html | string): Html {
  return html`<p class="empty">${text}</p>`;
}
