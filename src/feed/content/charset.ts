import { StringDecoder } from 'node:string_decoder';
import { byteOrderMark } from '../../core/charset/charset.ts';
import { markBytes } from '../../core/charset/undecodable.ts';
import { peekBytes } from '../../core/peek.ts';
import type { Warning } from '../../core/record.ts';
import { type CharsetOptions, chooseCharset, SAMPLE_BYTES } from './choose-charset.ts';
import { createLineDecoder } from './line-decoder.ts';

export interface DecodeOptions extends CharsetOptions {
  /** Whether the bytes were cut off, possibly inside a character. */
  isCutOff(): boolean;
  /** `confidence`, in per cent, is given if the charset was detected from the bytes. */
  onCharset(charset: string, confidence?: number): void;
  warn(warning: Warning): void;
  /** Called if bytes cannot be decoded: the text has marks for them. */
  onMark(): void;
}

/**
 * Decodes a stream of bytes in the charset that is declared or, if the bytes contradict it or none is declared, in the charset
 * of the first 1 MB. A line that is not valid in it is decoded by itself, and reported.
 * @throws CodedError FF_FEED_CHARSET if `encoding` is unknown, or is UTF-8 and the text is not
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, options: DecodeOptions): AsyncGenerator<string> {
  const { location, isCutOff, warn, onMark } = options;
  const { first, all } = await peekBytes(bytes, SAMPLE_BYTES);
  const { charset, confidence, fallback, contradiction } = await chooseCharset(first, options);
  options.onCharset(charset, confidence);
  if (contradiction !== undefined) warn({ at: location, message: contradiction });
  const decoder = charset.startsWith('utf-16')
    ? createUtf16Decoder(charset, onMark)
    : createLineDecoder({ charset, fallback, warn, onMark });
  let markLength = { 'utf-8': 3 }[byteOrderMark(first) ?? ''] ?? 0;
  for await (const chunk of all) {
    yield decoder.decode(chunk.subarray(markLength));
    markLength = Math.max(0, markLength - chunk.length);
  }
  yield decoder.end(isCutOff());
}

/**
 * Decodes a stream of UTF-16. Half a character is marked, and changes no other character.
 * @param charset utf-16le or utf-16be
 */
function createUtf16Decoder(charset: string, onMark: () => void) {
  const decoder = new StringDecoder('utf16le');
  /** The first byte of a unit. */
  let held: Uint8Array = new Uint8Array();
  let isStart = true;

  return {
    decode(chunk: Uint8Array): string {
      const bytes = Buffer.concat([held, chunk]);
      const end = bytes.length - (bytes.length % 2);
      held = bytes.subarray(end);
      const units = bytes.subarray(0, end);
      const text = marked(decoder.write(charset === 'utf-16be' ? units.swap16() : units));
      const isMark = isStart && text.startsWith('\uFEFF');
      isStart &&= text === '';
      return isMark ? text.slice(1) : text;
    },
    /** @param isCutOff whether the bytes may end inside a character, which is left out */
    end(isCutOff: boolean): string {
      const rest = decoder.end();
      if (isCutOff) return '';
      if (held.length > 0) onMark();
      return marked(rest) + markBytes(held);
    },
  };

  function marked(text: string): string {
    if (text.isWellFormed()) return text;
    onMark();
    return text.replace(/\p{Surrogate}/gu, markBytes(Uint8Array.of(0xff)));
  }
}
