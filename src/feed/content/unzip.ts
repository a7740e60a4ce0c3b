import { Unzip, type UnzipDecoderConstructor, type UnzipFile, UnzipInflate, UnzipPassThrough } from 'fflate';
import { CodedError } from '../../core/errors.ts';

/** Even the densest archive unpacks a slice of this size to a few megabytes at most. */
const SLICE_BYTES = 16 * 1024;

export interface ArchiveOptions {
  /** For messages. */
  location: string;
  /** Path of the file inside the archive. Default: the only file. */
  member?: string;
}

/**
 * Extracts one file from a ZIP archive (APPNOTE 6.3) while it streams. Directories and hidden files are ignored.
 * @throws CodedError FF_FEED_FORMAT if there is no such file, or there are several and none is named; another Error if the
 *   archive is damaged or cut off
 */
export async function* unzipMember(
  bytes: AsyncIterable<Uint8Array>,
  { location, member }: ArchiveOptions,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let failure: unknown;
  let wanted: UnzipFile | undefined;
  let length = 0;
  let hasEnded = false;

  const unzip = new Unzip((file) => {
    const isThisWanted = isWanted(file);
    if (isThisWanted) wanted = file;
    file.ondata = (error, chunk, final) => {
      if (!isThisWanted) return;
      failure ??= error ?? undefined;
      if (chunk && chunk.length > 0) chunks.push(chunk);
      length += chunk?.length ?? 0;
      hasEnded ||= final;
    };
    // fflate buffers files that are not started, so all are; the content of the others is discarded.
    file.start();
  });
  unzip.register(onlyWanted(UnzipInflate));
  unzip.register(onlyWanted(UnzipPassThrough));

  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
      unzip.push(chunk.subarray(start, start + SLICE_BYTES), false);
      if (failure !== undefined) throw failure;
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
    if (wanted.originalSize !== undefined && wanted.originalSize !== length) {
      throw new Error(`${wanted.name} has ${length} bytes instead of ${wanted.originalSize}`);
    }
  }

  function isWanted({ name }: UnzipFile): boolean {
    if (member !== undefined) return name === member && wanted === undefined;
    if (/^(\[Content_Types\]\.xml|mimetype)$/.test(name)) {
      const remedy = 'Export the table as CSV and use that file as source.url.';
      throw new CodedError('FF_FEED_FORMAT', `${location} is a spreadsheet or document, not a text feed.`, { remedy });
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
