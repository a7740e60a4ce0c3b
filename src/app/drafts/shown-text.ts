import { isPair, isScalar, parseDocument, visit } from 'yaml';
import { looksSecret } from '../../core/text/secret-names.ts';

const MASK = '***';
/** Keys of `source` with what only the server of the feed should know. An attribute may have such a name, too: `map.body`. */
const accessKeys = new Set(['auth', 'query', 'body']);
/** Other values may be words. */
const longSecret = /^(?=\D*\d).{8}/;
const hasVariable = /\$\{[^${}]+\}/;

/**
 * Hides the secrets in the text of a sync file: what requests for the feed carry (credentials, headers, queries, bodies), and keys that
 * are named like secrets. Variables stay.
 * @returns undefined if the text cannot be parsed
 */
export function shownText(text: string): string | undefined {
  const document = parseDocument(text, { prettyErrors: false });
  // If the text cannot be parsed, it is unknown where its secrets are.
  if (document.errors.length > 0) return undefined;
  const secrets: Array<readonly [from: number, to: number]> = [];
  const values = new Set<string>();
  visit(document, {
    Scalar(_key, node, path) {
      const names = path.flatMap((parent) =>
        isPair(parent) && isScalar(parent.key) ? [String(parent.key.value)] : [],
      );
      const isKey = _key === 'key';
      const isSent = /^sources?$/.test(names[0] ?? '') && names.some((name) => accessKeys.has(name));
      const isSecret = isSent || names.includes('headers') || names.some(looksSecret);
      if (isKey || !isSecret || !node.range || hasVariable.test(String(node.value))) return;
      const [from, to] = node.range;
      values.add(String(node.value));
      // The range of a block includes the line end after its last line.
      secrets.push([from, from + text.slice(from, to).trimEnd().length]);
    },
  });
  let shown = text;
  for (const [from, to] of secrets.toReversed()) shown = `${shown.slice(0, from)}"${MASK}"${shown.slice(to)}`;
  // A comment may repeat a secret.
  for (const value of values) if (longSecret.test(value)) shown = shown.replaceAll(value, MASK);
  return shown.replaceAll(/(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi, withoutSecretParts);
}

/** Returns an address without user, password, query values and the secret path of a published calendar. */
function withoutSecretParts(address: string): string {
  return address
    .replace(/\/\/[^/@]*@/, `//${MASK}@`)
    .replace(/\/private-[^/]+/g, `/private-${MASK}`)
    .replaceAll(/(?<=[?&][^=&#]+=)[^&#]+/g, (value) => (hasVariable.test(value) ? value : MASK));
}
