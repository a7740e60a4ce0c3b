import { html } from '../../core/html/html.ts';
import type { Viewer } from '../access/viewer.ts';
import { problemNotice } from '../parts/notice.ts';
import type { Problem } from '../problem.ts';
import { plainDocument } from './layout.ts';

/** What went wrong with a request, and what to do about it. */
export function errorPage({ status, viewer, ...problem }: Problem & { viewer: Viewer | undefined }): string {
  const next = viewer ? html`<a href="/">Go to the overview</a>` : html`<a href="/login">Log in</a>`;
  return plainDocument(titleOf(status), html`${problemNotice(problem)}<p>${next}</p>`);
}

function titleOf(status: number): string {
  if (status === 404) return 'Not found';
  if (status === 401 || status === 403) return 'Not allowed';
  if (status === 409) return 'Not possible now';
  if (status === 429) return 'Too many requests';
  return status < 500 ? 'The request is invalid' : 'Something went wrong';
}
