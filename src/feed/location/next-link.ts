import LinkHeader from 'http-link-header';

/** A link of a Link header. Commas separate links, and occur in addresses and quoted texts, too. */
const separateLink = /(?:<[^<>]*>|"(?:[^"\\]|\\(?:.|$))*(?:"|$)|[^",<])+/gs;
const targetAndParameters = /^\s*<([^<>]*)>(.*)$/s;

/** Finds the target of the link with rel="next" in a Link header (RFC 8288, 3). What is no link is skipped. */
export function nextLink(header = ''): string | undefined {
  for (const [text] of header.matchAll(separateLink)) {
    const [, target, parameters = ''] = targetAndParameters.exec(text) ?? [];
    if (target !== undefined && relationsIn(parameters).includes('next')) return target.trim();
  }
  return undefined;
}

function relationsIn(parameters: string): string[] {
  // The parser throws on texts in a damaged encoding (`title*=x`).
  const { refs } = LinkHeader.parse(`<>${parameters.replaceAll('*=', '=')}`);
  // It takes a parameter without a value and the next one as one name: `crossorigin; rel`.
  const relations = refs.flatMap((link) => Object.entries(link).find(([name]) => /(?:^|;)\s*rel$/.test(name))?.[1]);
  return relations.join(' ').toLowerCase().split(/\s+/);
}
