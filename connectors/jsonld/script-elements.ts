/** The content of a script of a web page. */
export interface ScriptElement {
  text: string;
  /** Whether its end is there. */
  complete: boolean;
}

const opening = /<!--|<script\b([^<>]*)>/gi;
const jsonLdType = /\btype\s*=\s*["']?application\/ld\+json\b/i;

/** The JSON-LD scripts of a web page, in their order: `<script type="application/ld+json">`. Comments are left out. */
export function* jsonLdScripts(html: string): Generator<ScriptElement> {
  let at = 0;
  for (let match = next(html, at); match !== null; match = next(html, at)) {
    const start = match.index + match[0].length;
    const isScript = match[1] !== undefined;
    const end = isScript ? endOfScript(html, start) : html.indexOf('-->', start);
    if (isScript && jsonLdType.test(match[1] ?? '')) {
      yield { text: unwrapped(html.slice(start, end === -1 ? undefined : end)), complete: end !== -1 };
    }
    if (end === -1) return;
    at = end;
  }
}

function next(html: string, at: number): RegExpExecArray | null {
  opening.lastIndex = at;
  return opening.exec(html);
}

/** A script ends at the first end tag, whatever stands around it (HTML, "script data state"). */
function endOfScript(html: string, start: number): number {
  const ending = /<\/script/gi;
  ending.lastIndex = start;
  return ending.exec(html)?.index ?? -1;
}

/** Old templates wrap a script in CDATA or a comment, so that XML and old browsers pass over it. */
function unwrapped(text: string): string {
  return text
    .trim()
    .replace(/^(?:\/\/\s*)?(?:<!\[CDATA\[|<!--)/, '')
    .replace(/(?:\/\/\s*)?(?:\]\]>|-->)$/, '');
}
