/** A link of a Link header. Commas separate links, and occur in addresses and quoted texts, too. */
const separateLink = /(?:<[^<>]*>|"(?:[^"\\]|\\(?:.|$))*(?:"|$)|[^",<])+/gs;
const targetAndParameters = /^\s*<([^<>]*)>(.*)$/s;
/** A parameter with its value, which may be quoted. */
const parameter = /;\s*([^\s=;"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)|([^\s;"]*)))?/gs;

/** Finds the target of the link with rel="next" in a Link header (RFC 8288, 3). What is no link is skipped. */
export function nextLink(header = ''): string | undefined {
  for (const [text] of header.matchAll(separateLink)) {
    const [, target, parameters = ''] = targetAndParameters.exec(text) ?? [];
    if (target !== undefined && relationsIn(parameters).includes('next')) return target.trim();
  }
  return undefined;
}

/** Only the first `rel` of a link counts. */
function relationsIn(parameters: string): string[] {
  const rel = [...parameters.matchAll(parameter)].find(([, name]) => name?.toLowerCase() === 'rel');
  return (rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/);
}
