const opening = /<!--|<script\b([^<>]*)>/gi;
const jsonLdType = /\btype\s*=\s*["']?application\/ld\+json\b/i;

/**
 * Yields the JSON-LD scripts of a web page, in order: `<script type="application/ld+json">`. A script without an end tag is
 * not `complete`. Comments are skipped.
 */
export function* jsonLdScripts(html: string): Generator<{ text: string; complete: boolean }> {
  let at = 0;
  for (let match = next(opening, html, at); match !== null; match = next(opening, html, at)) {
    const start = match.index + match[0].length;
    const isScript = match[1] !== undefined;
    // A script ends at the first end tag, even inside a string (HTML, "script data state").
    const end = next(isScript ? /<\/script/gi : /-->/g, html, start)?.index;
    if (isScript && jsonLdType.test(match[1] ?? '')) {
      yield { text: unwrap(html.slice(start, end)), complete: end !== undefined };
    }
    if (end === undefined) return;
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
