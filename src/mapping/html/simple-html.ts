/** A tag of HTML in the form in which the sanitizer writes it, or a character that it writes differently. */
const sign =
  /<(?:(\/?)(a|b|blockquote|em|h[2-6]|i|li|ol|p|strong|u|ul)>|(a) href="https?:\/\/[\w./?=#%+,:~-]*">|(br) \/>|)|>|&(?!(?:amp|lt|gt);)/g;

/** The number of elements in each other. */
const DEEPEST = 20;

const inline = new Set(['a', 'b', 'br', 'em', 'i', 'strong', 'u']);

/**
 * Returns the names of the elements of HTML that is certainly well-formed, and that a sanitizer which allows these elements returns
 * unchanged: usual elements, nested as in a text, without other attributes than addresses of the web. Undefined: the text has
 * to be read thoroughly.
 */
export function elementsOfSimpleHtml(html: string): ReadonlySet<string> | undefined {
  const elements = new Set<string>();
  const open: string[] = [];
  for (const [, slash, tag, link, lineBreak] of html.matchAll(sign)) {
    const name = tag ?? link ?? lineBreak;
    if (name === undefined) return undefined;
    elements.add(name);
    if (slash === '/') {
      if (open.pop() !== name) return undefined;
    } else {
      if (!fits(name, open)) return undefined;
      if (name !== 'br') open.push(name);
    }
  }
  return open.length === 0 ? elements : undefined;
}

/** Whether an element ends no element around it by its start. */
function fits(name: string, open: readonly string[]): boolean {
  if (open.length >= DEEPEST) return false;
  if (inline.has(name)) return name !== 'a' || !open.includes('a');
  const parent = open.at(-1);
  if (name === 'li') return parent === 'ul' || parent === 'ol';
  return parent === undefined || parent === 'li' || parent === 'blockquote';
}
