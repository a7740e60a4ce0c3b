import type { Digest } from '../../alerts/digests/compose.ts';
import { digestHtml } from '../../alerts/digests/render.ts';
import { html } from '../../core/html/html.ts';
import type { LogInPage } from '../access/log-in.ts';
import type { Viewer } from '../access/viewer.ts';
import { textField } from '../parts/form.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import type { Problem } from '../problem.ts';
import { plainDocument } from './layout.ts';

const HINTS = {
  always: 'It is kept with what you do, so that others know whom to ask.',
  forSharedTokens: 'Leave it empty if the token is yours alone: then its own name counts.',
};

/** The page on which a token is entered, and a name if the token has none. */
export function logInPage({ to, asksName, name, error }: LogInPage): string {
  return plainDocument(
    'Log in to feedferry',
    html`${error && html`<div role="alert">${notice('bad', error)}</div>`}
<form method="post" action="/login"><input type="hidden" name="to" value="${to}">
${asksName !== 'never' && textField({ name: 'name', label: 'Your name', value: name, hint: HINTS[asksName], isRequired: asksName === 'always', autocomplete: 'name' })}
${textField({ name: 'token', label: 'Token', type: 'password', hint: 'From the people who run feedferry.', isRequired: true, autocomplete: 'current-password' })}
<button class="primary">Log in</button></form>`,
  );
}

/** The page of a feed for its owner; without a digest, the link does not work. */
export function ownerPage(digest: Digest | undefined): { page: string; works: boolean } {
  if (digest) return { page: plainDocument(digest.title, digestHtml(digest.blocks), digest.language), works: true };
  const why = html`<p>It has expired, or was withdrawn. The next message about your feed has a new link.</p>`;
  return { page: plainDocument('This link does not work', why), works: false };
}

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
