import { isUtf8 } from 'node:buffer';

/**
 * The offset, in bytes, of the first byte that is not UTF-8; a character that goes on from an earlier chunk, or into a
 * later one, is no fault. The length of the chunk where there is none.
 */
export function firstInvalidUtf8(chunk: Uint8Array): number {
  const start = leadingContinuations(chunk);
  let valid = start;
  let invalid = chunk.length + 1;
  while (valid + 1 < invalid) {
    const middle = Math.floor((valid + invalid) / 2);
    if (cutOffBytes(chunk.subarray(start, middle)) === undefined) invalid = middle;
    else valid = middle;
  }
  // A character that lacks its end in the middle of a chunk is at fault from its first byte on.
  return valid === chunk.length ? valid : valid - (cutOffBytes(chunk.subarray(start, valid)) ?? 0);
}

function leadingContinuations(chunk: Uint8Array): number {
  let count = 0;
  while (count < 3 && isContinuation(chunk[count])) count++;
  return count;
}

/** How many bytes of a character that is cut off stand at the end; undefined where the bytes are no UTF-8 at all. */
function cutOffBytes(bytes: Uint8Array): number | undefined {
  for (let cut = 0; cut <= 3 && cut <= bytes.length; cut++) {
    const end = bytes.length - cut;
    if (isUtf8(bytes.subarray(0, end))) return cut === 0 || startsCharacter(bytes.subarray(end)) ? cut : undefined;
  }
  return undefined;
}

function startsCharacter(tail: Uint8Array): boolean {
  const [first = 0, ...rest] = tail;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return first >= 0xc2 && first < 0xf5 && tail.length < length && rest.every(isContinuation);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
