import { type Html, html } from '../../core/html/html.ts';
import { recordsPath, syncPath } from '../../core/text/addresses.ts';

/** The pages of a sync. */
export type SyncTab = 'sync' | 'runs' | 'records' | 'rejects' | 'verification' | 'questions';

/** Links between the pages of a sync. */
export function syncTabs(sync: string, current: SyncTab): Html {
  const tabs: ReadonlyArray<readonly [SyncTab, string, string]> = [
    ['sync', syncPath(sync), 'Sync'],
    ['runs', syncPath(sync, 'runs'), 'Runs'],
    ['records', recordsPath(sync), 'Records'],
    ['rejects', syncPath(sync, 'rejects'), 'Rejects'],
    ['verification', syncPath(sync, 'verification'), 'Verification'],
    // Few syncs have questions: the pages of those lead here.
    ...(current === 'questions' ? [['questions', syncPath(sync, 'questions'), 'Questions'] as const] : []),
  ];
  return html`<nav class="menu tabs" aria-label="Pages of ${sync}">${tabs.map(
    ([tab, to, text]) => html`<a href="${to}"${tab === current && html` aria-current="page"`}>${text}</a>`,
  )}</nav>`;
}

/** Links to the pages above a page of a sync. */
export function syncCrumbs(sync: string): Array<{ to: string; text: string }> {
  return [
    { to: '/', text: 'Overview' },
    { to: syncPath(sync), text: sync },
  ];
}
