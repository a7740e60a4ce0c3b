import { TextDecoder } from 'node:util';
import { byteOrderMark, declaredCharset } from '../../core/charset.ts';
import { CodedError } from '../../core/errors.ts';
import { peekBytes } from '../../core/peek.ts';
import { firstInvalidUtf8 } from './utf8.ts';

/** The part of a feed from which its charset is detected. */
const SAMPLE_BYTES = 1 << 20;

export interface DecodeOptions {
  /** For messages. */
  location: string;
  /** Charset label from source.encoding. */
  encoding?: string;
  /** Content-Type header, for its charset parameter. */
  contentType?: string;
  /** Whether the bytes were cut off, possibly inside a character. */
  isCutOff(): boolean;
  /** `confidence`, in per cent, is given if the charset was detected from the bytes. */
  onCharset(charset: string, confidence?: number): void;
}

/**
 * Decodes a stream of bytes by, in this order: byte order mark, `encoding`, declared charset, strict UTF-8, detection from
 * the first 1 MB. Labels are those of the WHATWG Encoding Standard.
 * @throws CodedError FF_FEED_CHARSET; replacement characters are never inserted
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, options: DecodeOptions): AsyncGenerator<string> {
  const { first, all } = await peekBytes(bytes, SAMPLE_BYTES);
  const { decoder, confidence } = await chooseDecoder(first, options);
  options.onCharset(decoder.encoding, confidence);
  let offset = 0;
  for await (const chunk of all) {
    yield decode(decoder, chunk, offset, options);
    offset += chunk.length;
  }
  if (!options.isCutOff()) yield decode(decoder, undefined, offset, options);
}

async function chooseDecoder(
  sample: Uint8Array,
  options: DecodeOptions,
): Promise<{ decoder: TextDecoder; confidence?: number }> {
  const label = byteOrderMark(sample) ?? options.encoding;
  if (label !== undefined) return { decoder: namedDecoder(label, options) };
  const isPart = sample.length >= SAMPLE_BYTES || options.isCutOff();
  const candidates = [declaredCharset(options.contentType), utf16WithoutMark(sample), 'utf-8'];
  const fitting = candidates.find((name) => name !== undefined && decodes(name, sample, isPart));
  if (fitting !== undefined) return { decoder: strictDecoder(fitting) };
  // Few feeds need the detection.
  const { analyse } = await import('chardet');
  const detected = analyse(sample).find(({ name }) => name === 'UTF-8' || decodes(name, sample, isPart));
  // Text that is almost entirely UTF-8 is damaged UTF-8, not another charset.
  if (detected === undefined || detected.name === 'UTF-8') throw undecodable('utf-8', sample, 0, options);
  return { decoder: strictDecoder(detected.name), confidence: detected.confidence };
}

/** ASCII characters in UTF-16 have a NUL in every second byte; no other charset has that. */
function utf16WithoutMark(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, 512);
  const even = start.filter((byte, index) => byte === 0 && index % 2 === 0).length;
  const odd = start.filter((byte, index) => byte === 0 && index % 2 === 1).length;
  if (odd > start.length / 4 && even * 8 < odd) return 'utf-16le';
  if (even > start.length / 4 && odd * 8 < even) return 'utf-16be';
  return undefined;
}

/** @param isPart whether the bytes may end inside a character */
function decodes(label: string, bytes: Uint8Array, isPart: boolean): boolean {
  try {
    strictDecoder(label).decode(bytes, { stream: isPart });
    return true;
  } catch {
    return false;
  }
}

function namedDecoder(label: string, options: DecodeOptions): TextDecoder {
  try {
    return strictDecoder(label);
  } catch (cause) {
    throw new CodedError('FF_FEED_CHARSET', `Unknown charset "${label}".`, {
      cause,
      remedy: `Correct source.encoding of ${options.location}, for example utf-8, windows-1252 or utf-16le.`,
    });
  }
}

function strictDecoder(label: string): TextDecoder {
  return new TextDecoder(label, { fatal: true });
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, offset: number, options: DecodeOptions): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw undecodable(decoder.encoding, chunk ?? new Uint8Array(), offset, options);
  }
}

function undecodable(charset: string, chunk: Uint8Array, offset: number, { location }: DecodeOptions): CodedError {
  const place = charset === 'utf-8' ? `at byte ${offset + firstInvalidUtf8(chunk)}` : `at or after byte ${offset}`;
  return new CodedError('FF_FEED_CHARSET', `${location} is not valid ${charset} ${place}.`);
}
