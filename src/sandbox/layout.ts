import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html, raw } from '../core/html/html.ts';

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
img{max-width:100%;height:auto}pre{white-space:pre-wrap;margin:0}pre,code,.long{overflow-wrap:anywhere}
nav a{margin-right:1rem}table{border-collapse:collapse;width:100%;margin-bottom:1rem}td p{margin:0}
th,td{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #ddd}
label{display:block}input,textarea{font:inherit;width:100%;box-sizing:border-box}form+form{display:inline}`;

/** No script at all, pictures of this site alone, and only the style sheet above. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "img-src 'self'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Links from page to page. */
const menu = html`<nav><a href="/">Events</a> <a href="/admin/accounts">Accounts</a></nav>`;

/** Sends a page of the sandbox, with the menu. */
export function sendPage(reply: FastifyReply, title: string, body: Html): FastifyReply {
  return sendSitePage(reply, title, html`${menu}\n${body}`);
}

/** Sends a page of the site that the sandbox imitates. */
export function sendSitePage(reply: FastifyReply, title: string, body: Html): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', contentSecurityPolicy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .send(
      String(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${raw(style)}</style></head>
<body>
${body}
</body>
</html>
`),
    );
}
