/** Reads the charset of a byte order mark. */
export function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** Reads the charset parameter of a Content-Type header, as the Encoding Standard names the charset; undefined if unknown. */
export function declaredCharset(contentType = ''): string | undefined {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  // Many servers declare US-ASCII for every text; UTF-8 includes it.
  if (label === undefined || /^(us-)?ascii$/i.test(label)) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
