import { siteTime } from '../../core/dates/site-time.ts';
import { type Html, html } from '../../core/html/html.ts';
import type { Viewer } from '../access/viewer.ts';
import { assetPath } from '../assets.ts';
import { withQuery } from '../parts/addresses.ts';
import type { PageContent, PageContext, Section } from './page.ts';

const sections: ReadonlyArray<[Section, string, string]> = [
  ['overview', '/', 'Overview'],
  ['day', '/day', 'Today'],
  ['records', '/records', 'Find a record'],
  ['calendar', '/calendar', 'Calendar'],
  ['doctor', '/doctor', 'Doctor'],
];

// Error pages never replace a part of a page. The style sheet of the page has all styles, so htmx need not add its own.
// What a reader has opened stays open when a page is refreshed.
const HTMX_CONFIG = JSON.stringify({
  ...{ includeIndicatorCSS: false, history: false, noSwap: [204, 304, '4xx', '5xx'] },
  morphIgnore: ['data-htmx-powered', 'open'],
});

/** A whole page: navigation, heading and content. */
export function layout(content: PageContent, context: PageContext): string {
  const { title, section, crumbs = [], aside, body, refreshSeconds } = content;
  const { viewer, timezone, now, path } = context;
  const isStill = new URL(path, 'http://localhost').searchParams.has('still');
  const refreshes = refreshSeconds !== undefined && !isStill;
  return documentOf(
    title,
    html`<a class="skip" href="#main">Skip to the content</a>
<header class="top"><a class="brand" href="/"><img src="${assetPath('favicon.svg')}" alt="" width="24" height="24">feedferry</a>
<nav class="menu" aria-label="Main">${sections.map(([name, to, text]) => html`<a href="${to}"${name === section && html` aria-current="page"`}>${text}</a>`)}</nav>
<div class="who"><span>${siteTime(now, timezone)}</span>${whoIs(viewer)}</div></header>
<main id="main" tabindex="-1">
${crumbs.length > 0 && html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${crumbs.map(({ to, text }) => html`<li><a href="${to}">${text}</a></li>`)}</ol></nav>`}
<div class="heading"><h1>${title}</h1>${aside && html`<div class="actions">${aside}</div>`}</div>
<div id="content"${refreshes && html` hx-get="${path}" hx-trigger="every ${refreshSeconds}s" hx-swap="innerMorph"`}>${body}</div>
${refreshSeconds !== undefined && refreshNote(path, refreshSeconds, isStill)}
</main>`,
    { hasScripts: true },
  );
}

/** A page without navigation, for people without access. */
export function plainDocument(title: string, body: Html): string {
  return documentOf(title, html`<main class="plain" id="main"><h1>${title}</h1>${body}</main>`, { hasScripts: false });
}

function documentOf(title: string, body: Html, { hasScripts }: { hasScripts: boolean }): string {
  return `<!doctype html>
${html`<html lang="en"><head><meta charset="utf-8"><title>${title} · feedferry</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="${assetPath('favicon.svg')}"><link rel="stylesheet" href="${assetPath('console.css')}">
${hasScripts && html`<meta name="htmx-config" content="${HTMX_CONFIG}"><script defer src="${assetPath('htmx.min.js')}"></script>`}</head><body>${body}</body></html>`}`;
}

function whoIs({ name, role, hasSession, csrfToken }: Viewer): Html {
  const logOut = html`<form class="bare" method="post" action="/logout"><input type="hidden" name="csrf" value="${csrfToken}"><button class="quiet">Log out</button></form>`;
  return html`<span>${name} <span class="muted">(${role})</span></span>${hasSession && logOut}`;
}

/** Note about the refresh, with a link that stops it for people who read slowly. */
function refreshNote(path: string, seconds: number, isStill: boolean): Html {
  const [address = path] = path.split('?');
  const query = Object.fromEntries(new URL(path, 'http://localhost').searchParams);
  const other = withQuery(address, { ...query, still: isStill ? undefined : '1' });
  const [text, link] = isStill
    ? ['This page is not refreshed.', 'Refresh it by itself']
    : [`This page is refreshed every ${seconds} s.`, 'Stop'];
  return html`<p class="muted refresh">${text} <a href="${other}">${link}</a><noscript> Without JavaScript, <a href="${path}">load it again</a>.</noscript></p>`;
}
