import { type Html, html, raw } from '../../core/html/html.ts';
import type { Digest, DigestBlock } from './compose.ts';

const WIDTH = 80;

/** A digest in plain text, in lines of at most 80 characters except for addresses. */
export function digestText({ title, blocks }: Digest): string {
  return `${wrapped(title)}\n\n${blocksText(blocks)}\n`;
}

/** The blocks of a digest in plain text. */
export function blocksText(blocks: readonly DigestBlock[]): string {
  return blocks.map(blockText).join('\n\n');
}

function blockText(block: DigestBlock): string {
  switch (block.is) {
    case 'head':
      return `${wrapped(block.text)}\n${'-'.repeat(Math.min(WIDTH, block.text.length))}`;
    case 'list':
      return block.items
        .map(({ lead, lines }) =>
          [wrapped(lead, '* ', '  '), ...lines.map((line) => wrapped(line, '  ', '  '))].join('\n'),
        )
        .join('\n');
    case 'link':
      return block.to;
    default:
      return wrapped(block.text);
  }
}

/** @param first what the first line begins with @param others what each other line begins with */
function wrapped(text: string, first = '', others = ''): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  // A no-break space does not end a line.
  for (const word of text.split(/[ \n]+/)) {
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = others;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].join('\n');
}

/** The blocks of a digest as HTML, for mails and pages. */
export function digestHtml(blocks: readonly DigestBlock[]): Html {
  return html`${blocks.map(blockHtml)}`;
}

function blockHtml(block: DigestBlock): Html {
  switch (block.is) {
    case 'head':
      return html`<h2>${block.text}</h2>\n`;
    case 'list':
      return html`<ul>${block.items.map(({ lead, lines }) => html`<li><strong>${lead}</strong>${lines.map((line) => html`<br>${line}`)}</li>\n`)}</ul>\n`;
    case 'link':
      return html`<p><a href="${block.to}">${block.to}</a></p>\n`;
    case 'muted':
      return html`<p class="muted">${block.text}</p>\n`;
    default:
      return html`<p>${block.text}</p>\n`;
  }
}

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; background: #fff; color: #1b1b1b; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 40em; margin: 0 auto; padding: 1.5em; overflow-wrap: anywhere; }
h1 { font-size: 1.4em; line-height: 1.25; } h2 { font-size: 1.1em; margin: 1.6em 0 .4em; }
ul { padding-left: 1.2em; } li { margin: 0 0 .8em; }
a { color: #0b57a4; } .muted { color: #595959; }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1b; color: #eee; } a { color: #8ec5ff; } .muted { color: #b3b3b3; }
}`;

/** A digest as an HTML mail, without pictures. */
export function digestMail({ language, title, blocks }: Digest): string {
  return `<!doctype html>
${html`<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<style>${raw(STYLE)}</style></head><body><main><h1>${title}</h1>
${digestHtml(blocks)}</main></body></html>`}
`;
}
