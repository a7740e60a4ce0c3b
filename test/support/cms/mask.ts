const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie']);
const secretName = /password|passwd|secret/i;
/** In text that is not JSON: a name like a password's, and its value as far as the text goes. */
const secretText = /("[^"]*(?:password|passwd|secret)[^"]*"\s*:\s*)("(?:\\.|[^"\\])*"?|[^\s,}\]]+)/gi;
const masked = '***';

/** Returns headers as text, without the values that prove an identity. */
export function maskHeaders(headers: Record<string, number | string | string[] | undefined>): Record<string, string> {
  const shown = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(shown.map(([name, value]) => [name, secretHeaders.has(name) ? masked : String(value)]));
}

/** Returns a body without its passwords. Text without passwords stays as it is. */
export function maskPasswords(text: string): string {
  // A name may be written with escapes.
  if (!secretName.test(text) && !text.includes('\\u')) return text;
  let hasSecret = false;
  try {
    const value = JSON.parse(text, (name, value) => {
      if (!secretName.test(name) || value === null || value === '') return value;
      hasSecret = true;
      return masked;
    });
    return hasSecret ? JSON.stringify(value) : text;
  } catch {
    return text.replace(secretText, `$1"${masked}"`);
  }
}
