import { type Html, html } from '../../core/html/html.ts';
import type { Subject } from '../../core/text/text-parts.ts';
import type { Tone } from '../../documents/document.ts';
import type { RecordSourceView } from '../../queries/views/record.ts';
import { badge } from '../parts/badge.ts';
import { webLink } from '../parts/link.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { prose } from '../parts/prose.ts';
import { table } from '../parts/table.ts';
import { valueText } from '../parts/value.ts';

type Found = RecordSourceView['found'][number];

const findings: Record<Found['is'], [Tone, string]> = {
  desired: ['good', 'Accepted'],
  rejected: ['bad', 'Rejected'],
  skipped: ['plain', 'Skipped'],
};

/** What the next run would do with a record, and why. */
export function sourceNotice({ verdict, location, complete, found }: RecordSourceView, subject: Subject): Html {
  return html`${notice(verdict.is === 'rejected' ? 'bad' : 'info', html`<p><strong>${prose(verdict.why)}</strong></p><p>${prose(verdict.next, subject)}</p>`)}
<p>Feed: ${webLink(location)}${!complete && ' (not read completely)'}</p>
${found.map((record) => foundNotice(record, subject))}`;
}

function foundNotice({ at, is, warnings, problem }: Found, subject: Subject): Html {
  return html`<p><strong>${at}</strong> ${badge(...findings[is])}</p>
${problem && problemNotice(problem, 'bad', subject)}
${warnings.length > 0 && notice('warning', html`<ul>${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`)}`;
}

/** The fields of the feed as they are, before they are mapped. */
export function sourceFields(found: ReadonlyArray<Pick<Found, 'at' | 'fields'> & Partial<Pick<Found, 'is'>>>): Html[] {
  return found.map(({ at, is, fields = {} }, place) => {
    const isOpen = is !== 'desired' || found.length > 1;
    return html`<details id="fields-${place}"${isOpen && html` open`}><summary>Fields of the feed, ${at}</summary>${table<
      [string, (typeof fields)[string]]
    >({
      caption: `Fields of the feed, ${at}`,
      columns: [
        { head: 'Field', isHeading: true, kind: 'key', cell: ([name]) => name },
        { head: 'Value', cell: ([, value]) => valueText(value) },
      ],
      rows: Object.entries(fields),
    })}</details>`;
  });
}
