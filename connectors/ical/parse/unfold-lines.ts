/** A content line, unfolded (RFC 5545, 3.1), still as bytes. */
export interface UnfoldedLine {
  /** The physical line that it starts at, counted from 1. */
  number: number;
  bytes: Buffer;
  /** Longer than allowed: `bytes` has only its beginning. */
  tooLong: boolean;
}

/** A line may contain a base64 image of 10 MB and more. */
const MAX_LINE_BYTES = 32_000_000;

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Splits bytes into content lines, at CRLF, LF and CR in any mixture. Folded lines are joined as bytes, because a fold may
 * be inside a character. Blank lines are skipped.
 */
export async function* unfoldLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<UnfoldedLine> {
  let current: { number: number; parts: Buffer[]; length: number } | undefined;
  for await (const { number, bytes: physical } of physicalLines(bytes)) {
    if (physical.length === 0) continue;
    const isFolded = physical[0] === SPACE || physical[0] === TAB;
    if (isFolded && current) {
      current.length += physical.length - 1;
      if (current.length <= MAX_LINE_BYTES) current.parts.push(physical.subarray(1));
    } else {
      if (current) yield join(current);
      current = { number, parts: [physical], length: physical.length };
    }
  }
  if (current) yield join(current);
}

function join({ number, parts, length }: { number: number; parts: Buffer[]; length: number }): UnfoldedLine {
  const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  return { number, bytes, tooLong: length > MAX_LINE_BYTES };
}

async function* physicalLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ number: number; bytes: Buffer }> {
  let number = 0;
  let parts: Buffer[] = [];
  let length = 0;
  let isAfterCr = false;
  const take = (last: Buffer) => {
    number += 1;
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    parts = [];
    length = 0;
    return { number, bytes };
  };
  for await (const chunk of chunks) {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    while (start < buffer.length) {
      if (isAfterCr && buffer[start] === LF) start += 1;
      isAfterCr = false;
      const end = lineEnd(buffer, start);
      if (end === -1) break;
      yield take(buffer.subarray(start, end));
      isAfterCr = buffer[end] === CR;
      start = end + 1;
    }
    length += buffer.length - start;
    // One byte above the limit is enough to detect that the line is too long.
    if (start < buffer.length && length <= MAX_LINE_BYTES + buffer.length) parts.push(buffer.subarray(start));
  }
  if (parts.length > 0) yield take(Buffer.alloc(0));
}

function lineEnd(buffer: Buffer, from: number): number {
  const lf = buffer.indexOf(LF, from);
  const line = lf === -1 ? buffer.subarray(from) : buffer.subarray(from, lf);
  const cr = line.indexOf(CR);
  return cr === -1 ? lf : from + cr;
}
