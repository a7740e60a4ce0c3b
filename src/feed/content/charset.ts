import { TextDecoder } from 'node:util';
import { analyse } from 'chardet';
import { CodedError } from '../../core/errors.ts';
import { peek } from './peek.ts';
import { firstInvalidUtf8 } from './utf8.ts';

/** How much of a feed is looked at before its charset is settled, in bytes. */
const SAMPLE_BYTES = 1 << 20;

export interface DecodeOptions {
  /** For messages. */
  location: string;
  /** Charset label that the user gave. */
  encoding?: string;
  /** Content-Type header; its charset parameter counts. */
  contentType?: string;
  /** Whether the bytes broke off, so that half a character may stand at their end. */
  isCutOff(): boolean;
  /** `confidence` in per cent where the charset was only guessed. */
  onCharset(charset: string, confidence?: number): void;
}

/**
 * Decodes a stream of bytes: byte order mark, then the user's label, then the declared charset, then strict UTF-8, then
 * detection on the first 1 MB. Labels are those of the WHATWG Encoding Standard.
 * @throws CodedError FF_FEED_CHARSET instead of ever putting in a replacement character.
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, options: DecodeOptions): AsyncGenerator<string> {
  const { first, all } = await peek(bytes, SAMPLE_BYTES);
  const { decoder, confidence } = chooseDecoder({ bytes: first, whole: first.length < SAMPLE_BYTES }, options);
  options.onCharset(decoder.encoding, confidence);
  let offset = 0;
  for await (const chunk of all) {
    yield decode(decoder, chunk, offset, options);
    offset += chunk.length;
  }
  if (!options.isCutOff()) yield decode(decoder, undefined, offset, options);
}

interface Sample {
  bytes: Uint8Array;
  /** Whether the feed ends with the sample. */
  whole: boolean;
}

interface Choice {
  decoder: TextDecoder;
  confidence?: number;
}

function chooseDecoder(sample: Sample, options: DecodeOptions): Choice {
  const label = byteOrderMark(sample.bytes) ?? options.encoding;
  if (label !== undefined) return { decoder: namedDecoder(label, options) };
  const declared = declaredCharset(options.contentType);
  const candidates = [declared, utf16WithoutMark(sample.bytes), 'utf-8'].filter((name) => name !== undefined);
  const fitting = candidates.find((name) => decodes(name, sample, options));
  return fitting === undefined ? detect(sample, options) : { decoder: strictDecoder(fitting) };
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** ASCII in UTF-16 has a NUL in every second byte; no other charset does. */
function utf16WithoutMark(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, 512);
  const nuls = [0, 0];
  start.forEach((byte, index) => {
    if (byte === 0) nuls[index % 2] = (nuls[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = nuls;
  if (odd > start.length / 4 && even * 8 < odd) return 'utf-16le';
  if (even > start.length / 4 && odd * 8 < even) return 'utf-16be';
  return undefined;
}

function declaredCharset(contentType: string | undefined): string | undefined {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase();
  // US-ASCII is what many servers declare for every text; UTF-8 reads it too.
  return label === undefined || label === 'us-ascii' || label === 'ascii' ? undefined : label;
}

function decodes(label: string, sample: Sample, options: DecodeOptions): boolean {
  try {
    strictDecoder(label).decode(sample.bytes, { stream: !sample.whole || options.isCutOff() });
    return true;
  } catch {
    return false;
  }
}

/** The likeliest charset that can decode the sample. Text that is nearly all UTF-8 is damaged, not in another charset. */
function detect(sample: Sample, options: DecodeOptions): Choice {
  const matches = analyse(sample.bytes);
  const best = matches.find(({ name }) => name === 'UTF-8' || decodes(name, sample, options));
  if (best !== undefined && best.name !== 'UTF-8') {
    return { decoder: strictDecoder(best.name), confidence: best.confidence };
  }
  throw undecodable('utf-8', sample.bytes, 0, options);
}

function namedDecoder(label: string, options: DecodeOptions): TextDecoder {
  try {
    return strictDecoder(label);
  } catch (cause) {
    throw new CodedError('FF_FEED_CHARSET', `"${label}" is not a charset that feedferry knows.`, {
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
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw undecodable(decoder.encoding, chunk ?? new Uint8Array(), offset, options);
  }
}

function undecodable(charset: string, chunk: Uint8Array, offset: number, options: DecodeOptions): CodedError {
  const at = charset === 'utf-8' ? offset + firstInvalidUtf8(chunk) : offset;
  const where = charset === 'utf-8' ? `at byte ${at}` : `at or after byte ${at}`;
  return new CodedError('FF_FEED_CHARSET', `${options.location} is not valid ${charset} ${where}.`);
}
