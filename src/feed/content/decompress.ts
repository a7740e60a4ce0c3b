import { PassThrough, pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { CodedError } from '../../core/errors.ts';
import { peekBytes } from '../../core/peek.ts';
import type { SpreadsheetOptions } from './spreadsheet/read-spreadsheet.ts';
import type { ArchiveOptions } from './unzip.ts';

/**
 * Decodes the content codings of an HTTP response (RFC 9110, 8.4), the last applied first.
 * @throws CodedError FF_FEED_FORMAT for a coding other than gzip, deflate and br; errors of node:zlib while reading
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
    const { first, all } = await peekBytes(decoded, 2);
    // Some servers declare gzip for an uncompressed file, or a proxy has decompressed it.
    decoded = /^(x-)?gzip$/.test(coding) && !isGzip(first) ? all : through(all, decoder(coding, first));
  }
  yield* decoded;
}

/** What archives of Office documents begin with. */
const officeEntry = /^(\[Content_Types\]\.xml|(_rels|docProps|xl|word|ppt|customXml)\/)/;

/**
 * Unpacks a gzip file (RFC 1952), a ZIP archive, or a sheet of a spreadsheet as CSV, recognised by their first bytes. Passes other
 * files through.
 * @throws CodedError FF_FEED_FORMAT if a member is named and the file is not an archive, or does not have this member
 */
export async function* unpackFile(
  bytes: AsyncIterable<Uint8Array>,
  archive: ArchiveOptions & SpreadsheetOptions,
): AsyncGenerator<Uint8Array> {
  const { first, all } = await peekBytes(bytes, 100);
  if (isZip(first) && archive.member === undefined && officeEntry.test(firstEntry(first))) {
    const [{ spreadsheetAsCsv }, { unzipMember }] = await Promise.all([
      import('./spreadsheet/read-spreadsheet.ts'),
      import('./unzip.ts'),
    ]);
    const { location } = archive;
    const whole = await Array.fromAsync(all);
    yield* spreadsheetAsCsv((member) => unzipMember(whole, { location, member }), archive);
  } else if (isZip(first)) {
    const { unzipMember } = await import('./unzip.ts');
    yield* unzipMember(all, archive);
  } else if (archive.member !== undefined) {
    await all.return(undefined);
    throw new CodedError('FF_FEED_FORMAT', `${archive.location} is not a ZIP archive. Remove source.member.`);
  } else yield* isGzip(first) ? through(all, createGunzip()) : all;
}

function decoder(coding: string, first: Uint8Array): Transform {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  // "deflate" means the zlib format, whose header has 8 in the low four bits; but raw deflate is common, too.
  if (coding === 'deflate') return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  throw new CodedError(
    'FF_FEED_FORMAT',
    `Unknown content encoding "${coding}". The server must send gzip, deflate or br.`,
  );
}

async function* through(bytes: AsyncIterable<Uint8Array>, transform: Transform): AsyncGenerator<Uint8Array> {
  const output = pipeline(Readable.from(bytes), transform, new PassThrough(), () => {
    // The reader of the output gets the error.
  });
  yield* output;
}

function isGzip(first: Uint8Array): boolean {
  return first[0] === 0x1f && first[1] === 0x8b;
}

function isZip(first: Uint8Array): boolean {
  return first[0] === 0x50 && first[1] === 0x4b && first[2] === 3 && first[3] === 4;
}

/** Returns the name of the first file of an archive (APPNOTE 4.3.7). */
function firstEntry(first: Uint8Array): string {
  const bytes = Buffer.from(first);
  return bytes.length < 30 ? '' : bytes.toString('latin1', 30, 30 + bytes.readUInt16LE(26));
}
