import { CodedError } from '../../core/errors.ts';
import { type RefusedError, saidBy } from '../../feed/location/refusal.ts';

/** What the server of a feed seems to want, or may want if it does not say. */
export interface WantedAccess {
  kind: 'header' | 'password' | 'token';
  /** Name of the header. */
  header: string;
  isKnown: boolean;
}

/** Schemes that need more than one request. */
const unsupported = /^(digest|negotiate|ntlm)$/i;
/** Names of headers with keys, and words that may be part of them. */
const keyName = /^(x-.*(key|token|auth)|api-?key$|ocp-apim-subscription-key$)/i;
const headerWord = /[a-z-]{2,60}/gi;

/** The refusal of a feed whose server wants other headers or credentials (401, 403). */
export class LockedFeedError extends CodedError {
  readonly wanted: WantedAccess;

  /**
   * @param given names of the variables that were sent
   * @param hide removes secrets from a text that the server may repeat
   */
  constructor(refusal: RefusedError, given: readonly string[], hide: (text: string) => string) {
    // Texts are cut: a secret must be hidden before, because its beginning would stay.
    const excerpt = hide(refusal.excerpt);
    const { schemes, realm, text } = saidBy({ challenge: hide(refusal.challenge ?? ''), excerpt });
    const wanted = wantedAccess(schemes, excerpt);
    const parts = [
      refusal.message,
      ...(realm ? [`Realm: ${realm}.`] : []),
      ...(text ? [`The server says: ${text}`] : []),
    ];
    super('FF_FEED_STATUS', hide(parts.join(' ')), { remedy: remedyFor(wanted, given, schemes) });
    this.wanted = wanted;
  }
}

function wantedAccess(schemes: readonly string[], excerpt: string): WantedAccess {
  const header = excerpt.match(headerWord)?.find((word) => keyName.test(word));
  if (header !== undefined) return { kind: 'header', header, isKnown: true };
  const isNamed = (name: string) => schemes.some((scheme) => scheme.toLowerCase() === name);
  if (isNamed('bearer')) return { kind: 'token', header: 'Authorization', isKnown: true };
  if (isNamed('basic')) return { kind: 'password', header: 'Authorization', isKnown: true };
  return { kind: 'header', header: 'X-Api-Key', isKnown: false };
}

function remedyFor(wanted: WantedAccess, given: readonly string[], schemes: readonly string[]): string {
  if (given.length > 0) {
    return `The server did not accept ${given.join(', ')}. Check the value, and whether the server wants it in another way: ${options()}.`;
  }
  if (!wanted.isKnown && schemes.some((scheme) => unsupported.test(scheme))) {
    return `feedferry does not support ${schemes.join(', ')}. Save the feed as a file and run init on it.`;
  }
  const option = wanted.isKnown
    ? optionFor(wanted)
    : `${options()}. A key that belongs into the address is written there: ?key=\${FEED_KEY}`;
  return `Get access from the operator of the feed. Set the secret in .env beside the config folder, such as ${variableFor(wanted.kind)}=…, and add to the command: ${option}.`;
}

function options(): string {
  const kinds = ['header', 'token', 'password'] as const;
  return kinds.map((kind) => optionFor({ kind, header: 'X-Api-Key' })).join(', or ');
}

function optionFor(wanted: Pick<WantedAccess, 'kind' | 'header'>): string {
  const variable = `\${${variableFor(wanted.kind)}}`;
  if (wanted.kind === 'header') return `--header '${wanted.header}: ${variable}'`;
  return wanted.kind === 'token' ? `--auth 'bearer ${variable}'` : `--auth 'USER:${variable}'`;
}

/** Proposes the name of a variable for a secret. */
export function variableFor(kind: WantedAccess['kind']): string {
  return { header: 'FEED_KEY', token: 'FEED_TOKEN', password: 'FEED_PASSWORD' }[kind];
}
