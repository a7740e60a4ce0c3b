import { Unzip, type UnzipDecoder, type UnzipFile, UnzipInflate, UnzipPassThrough } from 'fflate';
import { CodedError } from '../../core/errors.ts';

/** Small enough that even the densest archive unpacks to a few megabytes at a time. */
const SLICE_BYTES = 16 * 1024;

export interface ArchiveOptions {
  /** For messages. */
  location: string;
  /** Path of the file inside the archive; absent: the only one. */
  member?: string;
}

/**
 * Takes one file out of a ZIP archive (APPNOTE 6.3) as it streams by; folders and hidden files do not count.
 * Reading throws FF_FEED_FORMAT where there is no such file, or several and none is named; whatever fflate throws, or an
 * Error, where the archive is damaged or cut off.
 */
export async function* unzipMember(
  bytes: AsyncIterable<Uint8Array>,
  options: ArchiveOptions,
): AsyncGenerator<Uint8Array> {
  const taken = takeMember(options);
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      taken.push(chunk.subarray(at, at + SLICE_BYTES));
      yield* taken.drain();
    }
  }
  taken.finish();
  yield* taken.drain();
}

function takeMember({ location, member }: ArchiveOptions) {
  let chunks: Uint8Array[] = [];
  let failure: unknown;
  let wanted: UnzipFile | undefined;
  let length = 0;
  let whole = false;

  const unzip = new Unzip((file) => {
    if (isWanted(file)) {
      wanted = file;
      file.ondata = (error, chunk, final) => {
        failure ??= error ?? undefined;
        if (chunk && chunk.length > 0) chunks.push(chunk);
        length += chunk?.length ?? 0;
        whole ||= final;
      };
    } else {
      file.ondata = () => {};
    }
    // What is not started is kept in memory, so all files are; the unwanted ones go nowhere.
    file.start();
  });
  unzip.register(decoderOf(8, UnzipInflate));
  unzip.register(decoderOf(0, UnzipPassThrough));
  return { push, finish, drain };

  function push(slice: Uint8Array): void {
    unzip.push(slice, false);
    if (failure !== undefined) throw failure;
  }

  function finish(): void {
    if (wanted === undefined) {
      const what = member === undefined ? 'a file in it' : `a file "${member}"`;
      throw new CodedError('FF_FEED_FORMAT', `${location} is a ZIP archive without ${what}.`);
    }
    if (!whole) throw new Error(`${wanted.name} is cut off`);
    if (wanted.originalSize !== undefined && wanted.originalSize !== length) {
      throw new Error(`${wanted.name} has ${length} bytes instead of ${wanted.originalSize}`);
    }
  }

  function* drain(): Generator<Uint8Array> {
    const ready = chunks;
    chunks = [];
    yield* ready;
  }

  function isWanted(file: UnzipFile): boolean {
    if (member !== undefined) return file.name === member && wanted === undefined;
    if (/^(\[Content_Types\]\.xml|mimetype)$/.test(file.name)) {
      throw new CodedError(
        'FF_FEED_FORMAT',
        `${location} is a spreadsheet or document (a ZIP archive), not a text feed.`,
      );
    }
    if (/\/$|^__MACOSX\/|(^|\/)\.[^/]*$/.test(file.name)) return false;
    if (wanted === undefined) return true;
    throw new CodedError(
      'FF_FEED_FORMAT',
      `${location} is a ZIP archive with several files, "${wanted.name}" and "${file.name}" among them.`,
      { remedy: 'Name the one to read with source.member.' },
    );
  }

  /** Unpacks the wanted file, and spares itself the work for all others. */
  function decoderOf(method: number, Decoder: new (name: string) => UnzipDecoder) {
    return class MemberDecoder implements UnzipDecoder {
      static readonly compression = method;
      ondata: UnzipDecoder['ondata'] = () => {};
      readonly #decoder: UnzipDecoder | undefined;

      constructor(name: string) {
        if (wanted?.name !== name) return;
        this.#decoder = new Decoder(name);
        this.#decoder.ondata = (error, chunk, final) => this.ondata(error, chunk, final);
      }

      push(chunk: Uint8Array, final: boolean): void {
        this.#decoder?.push(chunk, final);
      }
    };
  }
}
