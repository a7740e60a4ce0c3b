import { crc32 } from 'node:zlib';
import { Unzip, type UnzipDecoderConstructor, type UnzipFile, UnzipInflate, UnzipPassThrough } from 'fflate';
import { CodedError, messageOf } from '../../core/errors.ts';

/** Even the densest archive unpacks a slice of this size to a few megabytes at most. */
const SLICE_BYTES = 16 * 1024;

/** Marks the start of an entry in the directory, which follows the files of an archive (APPNOTE 4.3.12). */
const ENTRY = Buffer.from('PK\x01\x02');
/** Position of the CRC-32 of the file in an entry, in bytes. */
const ENTRY_CRC = 16;
/** Marks the end of the directory (APPNOTE 4.3.16). */
const DIRECTORY_END = Buffer.from('PK\x05\x06');

export interface ArchiveOptions {
  /** For messages. */
  location: string;
  /** Path of the file inside the archive. Default: the only file. */
  member?: string;
}

/**
 * Extracts one file from a ZIP archive (APPNOTE 6.3) while it streams. Directories and hidden files are ignored.
 * @throws CodedError FF_FEED_FORMAT if the archive does not have the file, or has several and none is named;
 * FF_FEED_UNREADABLE if the file is damaged; another Error if the archive is cut off
 */
export async function* unzipMember(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { location, member }: ArchiveOptions,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let failure: unknown;
  let wanted: UnzipFile | undefined;
  let crc = 0;
  let hasEnded = false;
  const directory = createDirectoryScanner();

  const unzip = new Unzip((file) => {
    const isThisWanted = isWanted(file);
    if (isThisWanted) wanted = file;
    file.ondata = (error, chunk, final) => {
      if (!isThisWanted) return;
      failure ??= error ?? undefined;
      if (chunk && chunk.length > 0) {
        chunks.push(chunk);
        crc = crc32(chunk, crc);
      }
      hasEnded ||= final;
    };
    // fflate buffers files that are not started, so all files are started; the content of the others is discarded.
    file.start();
  });
  unzip.register(onlyWanted(UnzipInflate));
  unzip.register(onlyWanted(UnzipPassThrough));

  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      const slice = chunk.subarray(start, start + SLICE_BYTES);
      unzip.push(slice, false);
      if (failure !== undefined) throw damaged(messageOf(failure));
      directory.scan(slice, hasEnded ? crc : undefined);
      yield* chunks.splice(0);
    }
  }
  checkEnd();

  function checkEnd(): void {
    if (wanted === undefined) {
      const problem = member === undefined ? 'contains no files' : `does not contain "${member}"`;
      throw new CodedError('FF_FEED_FORMAT', `The ZIP archive ${location} ${problem}.`);
    }
    if (!hasEnded) throw new Error(`${wanted.name} is cut off`);
    if (!directory.hasEnd()) throw new Error(`the directory after ${wanted.name} is cut off`);
    if (!directory.hasCrc()) throw damaged('its CRC-32 does not match its content');
  }

  function damaged(problem: string): CodedError {
    return new CodedError('FF_FEED_UNREADABLE', `${location}: ${wanted?.name} is damaged: ${problem}.`, {
      cause: failure,
    });
  }

  function isWanted({ name }: UnzipFile): boolean {
    if (member !== undefined) return name === member && wanted === undefined;
    if (/^(\[Content_Types\]\.xml|mimetype|META-INF\/.*)$/.test(name)) {
      throw new CodedError('FF_FEED_FORMAT', `${location} is a document, not an .xlsx spreadsheet.`);
    }
    if (/\/$|^__MACOSX\/|(^|\/)\.[^/]*$/.test(name)) return false;
    if (wanted === undefined) return true;
    const message = `The ZIP archive ${location} contains several files, including "${wanted.name}" and "${name}".`;
    throw new CodedError('FF_FEED_FORMAT', message, { remedy: 'Name the file to read with source.member.' });
  }

  /** Derives a decoder that unpacks only the wanted file. */
  function onlyWanted(Decoder: UnzipDecoderConstructor): UnzipDecoderConstructor {
    return class extends Decoder {
      readonly #isWanted: boolean;

      constructor(name: string) {
        super(name);
        this.#isWanted = wanted?.name === name;
      }

      override push(chunk: Uint8Array, final: boolean): void {
        if (this.#isWanted) super.push(chunk, final);
      }
    };
  }
}

/** Scans the directory of a streaming archive for the CRC-32 of the file that was read. */
function createDirectoryScanner() {
  let before = Buffer.alloc(0);
  let hasCrc = false;
  let hasEnd = false;
  return { scan, hasCrc: () => hasCrc, hasEnd: () => hasEnd };

  function scan(slice: Uint8Array, crc: number | undefined): void {
    const bytes = Buffer.concat([before, slice]);
    // An entry may begin in this slice and end in the next one.
    before = bytes.subarray(-(ENTRY_CRC + 3));
    if (crc === undefined) return;
    hasEnd ||= bytes.includes(DIRECTORY_END);
    for (let at = bytes.indexOf(ENTRY); at >= 0 && !hasCrc; at = bytes.indexOf(ENTRY, at + 1)) {
      hasCrc = at + ENTRY_CRC + 4 <= bytes.length && bytes.readUInt32LE(at + ENTRY_CRC) === crc;
    }
  }
}
