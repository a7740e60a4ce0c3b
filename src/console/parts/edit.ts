import { type Html, html } from '../../core/html/html.ts';
import { syncPath } from '../../core/text/addresses.ts';
import type { DeedView } from '../../queries/views/shared.ts';
import type { Viewer } from '../access/viewer.ts';
import { postForm } from './form.ts';

/** Returns what shows the lines that an edit has changed, and the form that takes them back. */
export function editOf({ viewer }: { viewer: Pick<Viewer, 'maySave' | 'csrfToken'> }) {
  return ({ patch, sync, at }: DeedView): Html | false =>
    patch !== undefined &&
    html`<details class="change"><summary>Lines</summary><pre tabindex="0" role="group" aria-label="Changed lines">${patch}</pre>
${viewer.maySave && postForm(syncPath(sync, 'edits'), { viewer, hidden: { at }, label: 'Take back' })}</details>`;
}
