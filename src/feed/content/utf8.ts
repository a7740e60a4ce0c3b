/**
 * Finds the offset, in bytes, of the first byte that is not UTF-8. Characters that started in an earlier chunk or end in a
 * later one are valid. Returns the length of the chunk if all of it is valid.
 */
export function firstInvalidUtf8(chunk: Uint8Array): number {
  let offset = 0;
  // Bytes 10xxxxxx continue a character.
  while (offset < 3 && ((chunk[offset] ?? 0) & 0xc0) === 0x80) offset++;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(chunk.subarray(offset), { stream: true });
  let start = 0;
  for (let end = text.indexOf('\uFFFD'); end !== -1; end = text.indexOf('\uFFFD', start)) {
    offset += Buffer.byteLength(text.slice(start, end));
    if (!isReplacementCharacter(chunk.subarray(offset, offset + 3))) return offset;
    offset += 3;
    start = end + 1;
  }
  return chunk.length;
}

/** Whether the bytes are a replacement character that the text itself contains. */
function isReplacementCharacter([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbf && third === 0xbd;
}
