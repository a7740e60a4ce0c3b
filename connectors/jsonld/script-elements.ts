const opening = /<!--|<script\b([^<>]*)>/gi;
/** Some template engines escape the slash and the plus. */
const jsonLdType = /\btype\s*=\s*["']?application(?:\/|&#x2f;|&#47;)ld(?:\+|&#x2b;|&#43;)json\b/i;

/**
 * Yields the JSON-LD scripts of a web page, in order: `<script type="application/ld+json">`. A script without an end tag is
 * not `complete`. Comments are skipped. `line` is where the script begins.
 */
export function* jsonLdScripts(html: string): Generator<{ text: string; line: number; complete: boolean }> {
  let at = 0;
  let line = 1;
  for (let match = next(opening, html, at); match !== null; match = next(opening, html, at)) {
    const start = match.index + match[0].length;
    line += newLines(html, at, start);
    const isScript = match[1] !== undefined;
    // A script ends at the first end tag, even inside a string (HTML, "script data state").
    const end = next(isScript ? /<\/script/gi : /-->/g, html, start)?.index;
    if (isScript && jsonLdType.test(match[1] ?? '')) {
      const text = unwrap(html.slice(start, end));
      // Templates print empty scripts on pages without data.
      if (text.trim() !== '' || end === undefined) yield { text, line, complete: end !== undefined };
    }
    if (end === undefined) return;
    line += newLines(html, start, end);
    at = end;
  }
}

function next(pattern: RegExp, html: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(html);
}

/** Removes CDATA or a comment around a script: old templates add them so that XML parsers and old browsers ignore the script. */
function unwrap(text: string): string {
  return text
    .trim()
    .replace(/^(?:\/\/\s*)?(?:<!\[CDATA\[|<!--)/, '')
    .replace(/(?:\/\/\s*)?(?:\]\]>|-->)$/, '');
}

function newLines(html: string, from: number, to: number): number {
  let count = 0;
  for (let at = html.indexOf('\n', from); at !== -1 && at < to; at = html.indexOf('\n', at + 1)) count += 1;
  return count;
}
