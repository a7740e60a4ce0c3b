import { isUtf8 } from 'node:buffer';
import { isSurelyUtf8, repairLine, tryDecode } from '../../core/charset/repair-line.ts';
import { markBytes, markedIn } from '../../core/charset/undecodable.ts';
import type { Warning } from '../../core/record.ts';

const LF = 10;

/** A longer line is decoded in parts, in bytes. */
const LONG = 1 << 16;

/** So many lines that are not valid are reported one by one. */
const REPORTED = 10;

export interface LineDecoderOptions {
  charset: string;
  /** Returns the charset of single lines that are not valid UTF-8. */
  fallback(): string;
  warn(warning: Warning): void;
  /** Called if bytes cannot be decoded: the text has marks for them. */
  onMark(): void;
}

/**
 * Decodes a stream of bytes in which each line is judged by itself: a line that is not valid in the charset of the text changes
 * no other line. Text in which all lines are valid is decoded at once.
 */
export function createLineDecoder({ charset, fallback, warn, onMark }: LineDecoderOptions) {
  /** The bytes of the line that is not complete. */
  let held: Uint8Array[] = [];
  let heldLength = 0;
  /** Number of bytes and lines that were decoded. */
  let offset = 0;
  let lines = 0;
  let odd = 0;
  let known: string | undefined;

  return {
    decode(chunk: Uint8Array): string {
      held.push(chunk);
      heldLength += chunk.length;
      // Joined only once: a long line may come in many chunks.
      if (heldLength < LONG && !chunk.includes(LF)) return '';
      const bytes = joinHeld();
      const end = endOfLines(bytes);
      held = [bytes.subarray(end)];
      heldLength = bytes.length - end;
      return decodeLines(bytes.subarray(0, end));
    },
    /** @param isCutOff whether the bytes may end inside a character, which is left out */
    end(isCutOff: boolean): string {
      const rest = joinHeld();
      const text = decodeLines(isCutOff ? rest.subarray(0, rest.length - incompleteEnd(rest)) : rest);
      const message = `${odd} lines are not in the charset of the text, ${charset}; the first ${REPORTED} are listed`;
      if (odd > REPORTED) warn({ at: 'all lines', message });
      return text;
    },
  };

  function joinHeld(): Uint8Array {
    const [only, ...others] = held;
    return only !== undefined && others.length === 0 ? only : Buffer.concat(held);
  }

  function decodeLines(bytes: Uint8Array): string {
    const text = charset === 'utf-8' || !mayHaveUtf8(bytes) ? tryDecode(charset, bytes) : undefined;
    if (text === undefined) return linesOf(bytes).map(decodeLine).join('');
    offset += bytes.length;
    lines += count(bytes);
    return text;
  }

  function decodeLine(line: Uint8Array): string {
    const text = textOf(line);
    offset += line.length;
    if (line.at(-1) === LF) lines += 1;
    return text;
  }

  function textOf(line: Uint8Array): string {
    if (charset === 'utf-8') return tryDecode(charset, line) ?? repaired(line);
    const isOther = isUtf8(line) && isSurelyUtf8(line, charset);
    if (isOther) return otherwise(line, 'utf-8');
    return tryDecode(charset, line) ?? otherwise(line, charset);
  }

  function repaired(line: Uint8Array): string {
    known ??= fallback();
    const { text, offset: inLine, shown } = repairLine(line, known);
    const isMarked = markedIn(text) !== undefined;
    if (isMarked) onMark();
    const result = isMarked ? 'its record is rejected' : `read as ${known}`;
    report(`"${shown}" is not valid utf-8 (byte ${offset + inLine} of the text); ${result}`);
    return text;
  }

  /** Decodes a line that is in another charset, or has bytes that are no text in its own. */
  function otherwise(line: Uint8Array, readAs: string): string {
    const text = new TextDecoder(readAs).decode(line);
    if (readAs !== charset) {
      report(`the line is utf-8, unlike the text before it, which is ${charset}; read as utf-8`);
      return text;
    }
    onMark();
    report(`the line is not valid ${charset} (byte ${offset} of the text or later); its record is rejected`);
    return text.replaceAll('\uFFFD', markBytes(Uint8Array.of(0xff)));
  }

  function report(message: string): void {
    odd += 1;
    if (odd <= REPORTED) warn({ at: `line ${lines + 1}`, message });
  }
}

/** Returns how many of the bytes are decoded before others arrive: whole lines, or the words of a long line. */
function endOfLines(bytes: Uint8Array): number {
  const lineEnd = bytes.lastIndexOf(LF) + 1;
  if (lineEnd > 0 || bytes.length < LONG) return lineEnd;
  // White space and punctuation are no part of a character in any charset.
  const wordEnd = bytes.findLastIndex((byte) => byte < 0x30) + 1;
  return wordEnd > 0 ? wordEnd : bytes.length - incompleteEnd(bytes);
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LF, start) + 1 || bytes.length;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

function count(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines += 1;
  return lines;
}

/** Whether a text in another charset has bytes that could be a character of UTF-8. */
function mayHaveUtf8(bytes: Uint8Array): boolean {
  return /[\xc2-\xf4][\x80-\xbf]/.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
}

/** The number of bytes of a character of UTF-8 that is not complete. */
function incompleteEnd(bytes: Uint8Array): number {
  for (let length = 1; length <= 3; length += 1) {
    const byte = bytes.at(-length) ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc2) return length < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? length : 0;
  }
  return 0;
}
