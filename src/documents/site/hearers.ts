import { syncPath } from '../../core/text/addresses.ts';
import type { HearerView } from '../../queries/site/hearers.ts';
import { formOf, inMedium, paragraph, tableOf } from '../blocks.ts';
import type { Document, Inline } from '../document.ts';
import { linkTo, proseOf, timeAt } from '../inline.ts';

/** Who hears what of which sync, and what became of the messages. */
export function hearersDocument(hearers: readonly HearerView[]): Document {
  const title = 'Who hears what';
  if (hearers.length === 0)
    return {
      title,
      blocks: [paragraph(proseOf('Nobody: feedferry.yaml has no `alerts`. See `feedferry help alerts`.'), 'empty')],
    };
  return {
    title,
    blocks: [
      tableOf<HearerView>({
        caption: title,
        columns: [
          { head: 'Sync', isHeading: true, cell: ({ sync }) => linkTo(syncPath(sync), sync) },
          { head: 'Who', cell: whoOf },
          { head: 'Hears', cell: whatOf },
          { head: 'Last message', kind: 'time', cell: ({ sentAt }) => (sentAt ? timeAt(sentAt) : '–') },
          { head: 'Failed since', cell: ({ failedAt, failure }) => failedAt && [timeAt(failedAt), ': ', failure] },
          {
            head: 'Test',
            medium: 'page',
            cell: ({ sync }) => ({ is: 'button', form: testForm('Test', { sync }) }),
          },
          hearers.some(({ is }) => is === 'owner') && {
            head: 'Links',
            medium: 'page',
            cell: ({ sync, is }) =>
              is === 'owner' && { is: 'button', form: { does: 'revokeLinks', to: { sync }, label: 'Revoke' } },
          },
        ],
        rows: hearers,
      }),
      formOf(testForm('Send a test message to the recipients in feedferry.yaml')),
      inMedium('page', paragraph('A test of a sync goes to all who hear of it, owners included.', 'muted')),
    ],
  };
}

function testForm(label: string, hidden: Record<string, string> = {}) {
  return { does: 'testAlerts', label, hidden, command: 'feedferry alerts test' } as const;
}

function whoOf({ is, to, sources }: HearerView): Inline {
  if (is === 'webhook') return 'webhook';
  const of = sources ? ` of ${sources.join(', ')}` : '';
  return is === 'owner' ? `${to.join(', ')} (owner${of})` : to.join(', ');
}

function whatOf({ on, language }: HearerView): string {
  return on ? on.join(', ') : `digest in ${language}`;
}
