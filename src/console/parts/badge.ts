import { type Html, html } from '../../core/html/html.ts';
import type { Tone } from '../../documents/document.ts';

/** A word on a colour. */
export function badge(tone: Tone, word: string): Html {
  return html`<span class="badge ${tone}">${word}</span>`;
}
