import { Parser } from 'htmlparser2';
import { isHtmlType, styledDescriptions } from './html-fields.ts';
import { type Property, unescapeText } from './parse/property.ts';

/** Elements that no visitor sees. */
const invisible = new Set(['head', 'title', 'style', 'script']);

/** Returns the description of an event as HTML. */
export function htmlDescription(properties: readonly Property[]): string | undefined {
  const styled = properties.find(
    ({ name, params }) => styledDescriptions.includes(name) && isHtmlType(params.get('FMTTYPE')),
  );
  return styled && unescapeText(styled.value);
}

/** Returns whether visitors would see any text. Outlook writes HTML without text, too. */
export function showsText(html: string): boolean {
  let hiding = 0;
  let shows = false;
  const parser = new Parser({
    onopentag(name) {
      if (invisible.has(name)) hiding += 1;
    },
    onclosetag(name) {
      if (invisible.has(name)) hiding -= 1;
    },
    ontext(text) {
      shows ||= hiding === 0 && text.trim() !== '';
    },
  });
  parser.end(html);
  return shows;
}
