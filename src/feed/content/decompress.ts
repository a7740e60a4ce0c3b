import { PassThrough, pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { CodedError } from '../../core/errors.ts';
import { peek } from './peek.ts';
import { type ArchiveOptions, unzipMember } from './unzip.ts';

/**
 * Undoes the content codings of an HTTP answer (RFC 9110, 8.4), the last applied first.
 * @throws CodedError FF_FEED_FORMAT for a coding that is not gzip, deflate or br; while reading, what node:zlib throws.
 */
export async function* decodeContent(
  bytes: AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
): AsyncGenerator<Uint8Array> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  let decoded = bytes;
  for (const coding of codings.filter((name) => name !== '' && name !== 'identity').reverse()) {
    const { first, all } = await peek(decoded, 2);
    // Some servers announce gzip for a file that they send as it is, or that was unpacked on the way.
    decoded = /^(x-)?gzip$/.test(coding) && !isGzip(first) ? all : through(all, decoder(coding, first));
  }
  yield* decoded;
}

/**
 * Unpacks what is a gzip file (RFC 1952) or a ZIP archive by its magic number, and passes all else on.
 * @throws CodedError FF_FEED_FORMAT where a member is asked for and there is no archive, or no such member
 */
export async function* unpackFile(
  bytes: AsyncIterable<Uint8Array>,
  archive: ArchiveOptions,
): AsyncGenerator<Uint8Array> {
  const { first, all } = await peek(bytes, 4);
  if (isZip(first)) yield* unzipMember(all, archive);
  else if (archive.member !== undefined) {
    await all.return(undefined);
    throw new CodedError('FF_FEED_FORMAT', `${archive.location} is no ZIP archive, so it has no "${archive.member}".`);
  } else yield* isGzip(first) ? through(all, createGunzip()) : all;
}

function decoder(coding: string, first: Uint8Array): Transform {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  // "deflate" means the zlib format, but raw deflate is common too; the low four bits of a zlib header are 8.
  if (coding === 'deflate') return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  throw new CodedError('FF_FEED_FORMAT', `The feed came with content encoding "${coding}", which cannot be undone.`);
}

async function* through(bytes: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Uint8Array> {
  const output = pipeline(Readable.from(bytes), transform, new PassThrough(), () => {
    // The error reaches whoever reads the output.
  });
  yield* output;
}

function isGzip(first: Uint8Array): boolean {
  return first[0] === 0x1f && first[1] === 0x8b;
}

function isZip(first: Uint8Array): boolean {
  return first[0] === 0x50 && first[1] === 0x4b && first[2] === 3 && first[3] === 4;
}
