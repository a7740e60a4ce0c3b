import { clean } from '../../core/clean.ts';

/** What was removed from a text, to be reported. */
export interface Removed {
  /** Elements with content, as tags: `<img src="…">`. */
  elements: string[];
  /** Addresses of links. */
  links: string[];
}

const MOST_SHOWN = 3;
const LONGEST_SHOWN = 100;

/** Returns the warnings about what was removed. */
export function describeRemoved({ elements, links }: Removed): string[] {
  if (elements.length + links.length === 0) return [];
  const warnings = [];
  if (elements.length === 1) warnings.push(`removed ${listed(elements)}`);
  if (elements.length > 1)
    warnings.push(`removed ${elements.length} elements that are not allowed: ${listed(elements)}`);
  const addresses = listed(links);
  if (links.length === 1) warnings.push(`removed the address of a link: ${addresses}`);
  if (links.length > 1) warnings.push(`removed the addresses of ${links.length} links: ${addresses}`);
  return warnings;
}

function listed(values: readonly string[]): string {
  const shown = values.slice(0, MOST_SHOWN).map((value) => {
    const line = value.slice(0, LONGEST_SHOWN).replace(/\s+/g, ' ');
    return value.length > LONGEST_SHOWN ? `${clean(line)}…` : line;
  });
  return shown.join(', ') + (values.length > MOST_SHOWN ? ', …' : '');
}
