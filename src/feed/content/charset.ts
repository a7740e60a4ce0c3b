import { byteOrderMark } from '../../core/charset.ts';
import { peekBytes } from '../../core/peek.ts';
import type { Warning } from '../../core/record.ts';
import { type CharsetOptions, chooseCharset, SAMPLE_BYTES } from './choose-charset.ts';
import { createLineDecoder } from './line-decoder.ts';
import { createUtf16Decoder } from './utf16-decoder.ts';

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
  const { charset, confidence, fallbacks, contradiction } = await chooseCharset(first, options);
  options.onCharset(charset, confidence);
  if (contradiction !== undefined) warn({ at: location, message: contradiction });
  const decoder = charset.startsWith('utf-16')
    ? createUtf16Decoder(charset, onMark)
    : createLineDecoder({ charset, fallbacks, warn, onMark });
  let markLength = { 'utf-8': 3 }[byteOrderMark(first) ?? ''] ?? 0;
  for await (const chunk of all) {
    yield decoder.decode(chunk.subarray(markLength));
    markLength = Math.max(0, markLength - chunk.length);
  }
  yield decoder.end(isCutOff());
}
