import { type Html, html } from '../../core/html/html.ts';
import { syncPath } from '../../core/text/addresses.ts';
import type { RecordLiveView } from '../../queries/records/record.ts';
import type { RecordDetailView } from '../../queries/views/record.ts';
import type { ProblemView } from '../../queries/views/shared.ts';
import { emptyState, notice, problemNotice } from '../parts/notice.ts';

type Named = Pick<RecordDetailView, 'sync' | 'cmsId'>;

/** Whether the CMS has the item as it was delivered; else what runs do about it, and what a person can do. */
export function liveNotice(
  live: RecordLiveView | { problem: ProblemView; is?: undefined } | undefined,
  record: Named,
): Html | undefined {
  switch (live?.is) {
    case 'never':
      return emptyState('Nothing was delivered yet, so the CMS has no item.');
    case 'removed':
      return emptyState('feedferry has deleted the item, so the CMS has none.');
    case 'missing':
      return deletedNotice(live, record);
    case 'there':
      return live.differences.length === 0
        ? notice('good', 'The item is as it was delivered.')
        : editedNotice(live, record);
    default:
      return live?.problem && problemNotice(live.problem);
  }
}

function editedNotice({ differences }: RecordLiveView, { sync }: Named): Html {
  const names = differences.map(({ attribute }) => attribute).join(', ');
  return notice(
    'warning',
    html`<p><strong>The CMS differs: the item was edited there after it was delivered (${names}).</strong></p>
<p>Runs leave the edits until the source changes the same attributes. To write the delivered values again, ${repairLink(sync)}.</p>`,
  );
}

function deletedNotice({ createsAgain }: RecordLiveView, { sync, cmsId }: Named): Html {
  const isNoted = cmsId === undefined;
  const policy = html`<details id="policy"><summary>Setting</summary><code>onDeletedInCms: ${createsAgain ? 'recreate' : 'leave'}</code></details>`;
  const again = isNoted ? 'in the next run' : 'when the record changes in the source';
  return notice(
    'bad',
    html`<p><strong>The CMS differs: the item was deleted there.</strong></p>
<p>${createsAgain ? `The sync creates such items again, ${again}.` : 'Runs leave it deleted. To have it back, ask the people who run feedferry.'}
${isNoted ? html`To use another item, <a href="#adopt">adopt it</a>.` : createsAgain && html`To create it now, ${repairLink(sync)}.`}</p>${policy}`,
  );
}

function repairLink(sync: string): Html {
  return html`<a href="${syncPath(sync, 'verification')}">verify the sync and plan a repair</a>`;
}
