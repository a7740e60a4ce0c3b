/** Finds the target of the link with rel="next" in a Link header (RFC 8288, 3). */
export function nextLink(header = ''): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(/<([^<>]*)>((?:\s*;[^,;"]*(?:"[^"]*")?)*)/g)) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]*))/i.exec(parameters);
    const names = (relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/);
    if (names.includes('next')) return target;
  }
  return undefined;
}
