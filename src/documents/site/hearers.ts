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
          { head: 'Last message', kind: 'time', cell: ({ sentAt }) => shortTime(sentAt) ?? '–' },
          { head: 'Last test', kind: 'time', cell: ({ testedAt }) => shortTime(testedAt) },
          { head: 'Failed', kind: 'time', cell: ({ failedAt }) => shortTime(failedAt) },
          { head: 'Why', medium: 'page', cell: ({ failure }) => failure },
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
      inMedium('terminal', {
        is: 'list',
        items: hearers.flatMap((hearer) => (hearer.failure ? [[whoOf(hearer), ': ', hearer.failure]] : [])),
      }),
      formOf(testForm('Send a test message to the recipients in feedferry.yaml')),
      inMedium('page', paragraph('A test of a sync goes to all who hear of it, owners included.', 'muted')),
    ],
  };
}

function testForm(label: string, hidden: Record<string, string> = {}) {
  return { does: 'testAlerts', label, hidden, command: 'feedferry alerts test' } as const;
}

function shortTime(at: string | undefined): Inline {
  return at && timeAt(at, { isShort: true });
}

function whoOf({ is, to, sources }: HearerView): Inline {
  if (to === undefined) return 'webhook';
  const of = sources ? ` of ${sources.join(', ')}` : '';
  return is === 'owner' ? `${to} (owner${of})` : to;
}

function whatOf({ on, language }: HearerView): string {
  return on ? on.join(', ') : `digest in ${language}`;
}
