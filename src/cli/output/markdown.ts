import { colour, indent, outputWidth, wrap } from './print.ts';
import { textTable } from './tables.ts';

/**
 * Makes a page of the docs readable in a terminal: joins the lines of paragraphs, lays out tables, and replaces links to other
 * pages with the command that shows the page.
 * @param pages names of the pages that `feedferry help` can show
 */
export function renderMarkdown(text: string, pages: readonly string[]): string {
  const parts = text.split(/^```.*\n?/m);
  const shown = parts.map((part, index) =>
    index % 2 === 0 ? renderProse(part, pages) : indent(part.trimEnd()).replace(/ +$/gm, ''),
  );
  return shown.filter((part) => part !== '').join('\n\n');
}

function renderProse(text: string, pages: readonly string[]): string {
  const joined = text.replace(/<!--.*?-->\n?/gs, '').replace(/(?<=[^\n])\n *(?=[^\s#|])(?![-*] |\d+\. )/g, ' ');
  return renderSpans(joined, pages)
    .replace(/^#+ (.*)$/gm, (_, heading: string) => colour('bold', heading))
    .replace(/^\|.*(?:\n\|.*)*/gm, renderTable)
    .replace(/^.+$/gm, (line) => {
      const wrapped = wrap(line, outputWidth());
      return /^([-*]|\d+\.)? /.test(line) ? wrapped : wrapped.replaceAll('\n  ', '\n');
    })
    .trim();
}

/** Renders bold text and links, and leaves code as it is. */
function renderSpans(text: string, pages: readonly string[]): string {
  const spans = /`[^`]+`|\*\*(.+?)\*\*|!?\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]*)\)/g;
  return text.replace(spans, (code: string, bold?: string, label?: string, target = '') => {
    if (bold !== undefined) return colour('bold', renderSpans(bold, pages));
    if (label === undefined) return code;
    const [page = '', isPage] = target.split(/\.md(?:#.*)?$/);
    if (/^https?:/.test(target)) return `${label} (${target})`;
    return isPage !== undefined && pages.includes(page) && !label.includes(page) ? `${label} (help ${page})` : label;
  });
}

function renderTable(text: string): string {
  const isRuler = (row: string) => /^[|\s:-]+$/.test(row);
  const [headings = [], ...rows] = text
    .split('\n')
    .filter((row) => !isRuler(row))
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
  return textTable(headings.map((heading, index) => ({ heading, cells: rows.map((row) => row[index] ?? '') })));
}
