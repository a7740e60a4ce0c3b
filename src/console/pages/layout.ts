import { type Html, html } from '../../core/html/html.ts';
import { withQuery } from '../../core/text/addresses.ts';
import type { Viewer } from '../access/viewer.ts';
import { assetPath } from '../assets.ts';
import { nameText } from '../parts/link.ts';
import { notice } from '../parts/notice.ts';
import type { PageContent, PageContext, Section } from './page.ts';

const sections: ReadonlyArray<[Section, string, string]> = [
  ['overview', '/', 'Overview'],
  ['day', '/day', 'Today'],
  ['records', '/records', 'Find a record'],
  ['calendar', '/calendar', 'Calendar'],
  ['doctor', '/doctor', 'Doctor'],
];

/** Shown when a refresh fails. */
const LOST = 'The server does not respond, or the session has ended. This page may be out of date.';

// Error pages never replace a part of a page. The style sheet of the page has all styles, so htmx need not add its own.
// What a reader has opened stays open when a page is refreshed.
const HTMX_CONFIG = JSON.stringify({
  ...{ includeIndicatorCSS: false, history: false, noSwap: [204, 304, '4xx', '5xx'] },
  morphIgnore: ['data-htmx-powered', 'open'],
});

/** A whole page: navigation, heading and content. */
export function layout(content: PageContent, context: PageContext): string {
  const { title, section, crumbs = [], aside, body, refreshSeconds } = content;
  const { viewer, path, done } = context;
  const isStill = new URL(path, 'http://localhost').searchParams.has('still');
  const refreshes = refreshSeconds !== undefined && !isStill;
  return documentOf(
    title,
    html`<a class="skip" href="#main">Skip to the content</a>
<header class="top"><a class="brand" href="/"><img src="${assetPath('favicon.svg')}" alt="" width="24" height="24">feedferry</a>
<nav class="menu" aria-label="Main">${sections.map(([name, to, text]) => html`<a href="${to}"${name === section && html` aria-current="page"`}>${text}</a>`)}</nav>
<form class="find" role="search" aria-label="All records" method="get" action="/records"><label class="unseen" for="search">Search records</label><input id="search" name="words" type="search" placeholder="Search (press /)"></form>
<div class="who">${whoIs(viewer)}</div></header>
<main id="main" tabindex="-1"><div id="connection" role="alert" data-lost="${LOST}"></div>
<div id="done" role="status" tabindex="-1">${done && notice('good', done)}</div>
${crumbs.length > 0 && html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${crumbs.map(({ to, text }) => html`<li><a href="${to}">${text}</a></li>`)}</ol></nav>`}
<div class="heading"><h1>${nameText(title)}</h1>${aside && html`<div class="actions">${aside}</div>`}</div>
<div id="content"${refreshes && html` hx-get="${path}" hx-trigger="every ${refreshSeconds}s" hx-swap="innerMorph"`}>${body}</div>
${refreshSeconds !== undefined && refreshNote(path, isStill)}
</main>`,
    { hasScripts: true },
  );
}

/** A page without navigation, for people without access. */
export function plainDocument(title: string, body: Html, language = 'en'): string {
  const content = html`<main class="plain" id="main"><h1>${title}</h1>${body}</main>`;
  return documentOf(title, content, { hasScripts: false, language });
}

function documentOf(
  title: string,
  body: Html,
  { hasScripts, language = 'en' }: { hasScripts: boolean; language?: string },
): string {
  return `<!doctype html>
${html`<html lang="${language}"><head><meta charset="utf-8"><title>${title} · feedferry</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="${assetPath('favicon.svg')}"><link rel="stylesheet" href="${assetPath('console.css')}">
${hasScripts && html`<meta name="htmx-config" content="${HTMX_CONFIG}"><script defer src="${assetPath('htmx.min.js')}"></script><script defer src="${assetPath('console.js')}"></script>`}</head><body>${body}</body></html>`}`;
}

function whoIs({ name, role, hasSession, csrfToken }: Viewer): Html {
  const logOut = html`<form class="bare" method="post" action="/logout"><input type="hidden" name="csrf" value="${csrfToken}"><button class="quiet">Log out</button></form>`;
  return html`<span>${name} <span class="muted">(${role})</span></span>${hasSession && logOut}`;
}

/** A link that stops the refresh for people who read slowly, or begins it again. */
function refreshNote(path: string, isStill: boolean): Html {
  const [address = path] = path.split('?');
  const query = Object.fromEntries(new URL(path, 'http://localhost').searchParams);
  const other = withQuery(address, { ...query, still: isStill ? undefined : '1' });
  return html`<p class="muted refresh"><a href="${other}">${isStill ? 'Resume updates' : 'Pause updates'}</a><noscript> <a href="${path}">Load again</a></noscript></p>`;
}
