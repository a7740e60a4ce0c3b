import type { AttachmentFile, AttachmentReader, RemoteFiles } from '../../../src/core/attachment.ts';
import { CodedError } from '../../../src/core/errors.ts';
import { sha256 } from '../../../src/core/hash.ts';
import type { AttachmentSource } from '../../../src/core/record.ts';
import type { Download, DownloadOptions } from '../../../src/feed/attachments/download.ts';
import { createRemoteReader } from '../../../src/feed/attachments/remote-attachments.ts';
import type { Files, SourceFile } from './files.ts';
import type { Machine } from './machine.ts';

const LONGEST_READ_MS = 200;
const LIMITS = { maxBytes: 1_000, timeoutMs: 10_000, totalMs: 10_000, allowPrivateNetwork: false };

/** Looks at each file that is read to be uploaded. */
export type ReadWatch = (by: string, sha256: string) => void;

/** Reads the files of the source without disks and connections. What is remembered of remote files is real. */
export function createSimulatedReader(
  machine: Machine,
  remembered: RemoteFiles,
  { files, onRead }: { files: Files; onRead: ReadWatch },
): AttachmentReader {
  const remote = createRemoteReader(remembered, LIMITS, download);
  return {
    async fingerprint(source, signal) {
      const location = locationOf(source);
      if (isRemote(location)) return remote.fingerprint(new URL(location), signal);
      return { fingerprint: (await readLocal(location)).sha256 };
    },
    async facts() {
      throw new Error('No sync has rules about pictures.');
    },
    async read(source, signal) {
      const location = locationOf(source);
      const file = await (isRemote(location) ? remote.read(new URL(location), signal) : readLocal(location));
      onRead(machine.name, file.sha256);
      return file;
    },
  };

  async function readLocal(location: string): Promise<AttachmentFile> {
    const file = toFile(location, await open(location));
    return { ...file, fingerprint: file.sha256 };
  }

  async function download({ href }: URL, { validators, signal }: DownloadOptions): Promise<Download | undefined> {
    const opened = await open(href);
    signal?.throwIfAborted();
    const { etag } = opened;
    if (etag !== undefined && validators?.etag === etag) return undefined;
    const file = toFile(href, opened);
    return { ...file, remote: { sha256: file.sha256, etag } };
  }

  function open(location: string): Promise<SourceFile> {
    return machine.step(machine.runtime.random() * LONGEST_READ_MS, () => {
      const file = files.isAway(location) ? undefined : files.at(location);
      if (file) return file;
      throw new CodedError('FF_ATTACHMENT_UNREADABLE', `Cannot read ${location}.`);
    });
  }
}

/** A Blob whose stream does not wait for the event loop, which would not be the same in each run. */
class PromptBlob extends Blob {
  readonly #parts: readonly string[];

  constructor(parts: string[]) {
    super(parts);
    this.#parts = parts;
  }

  override stream(): ReturnType<Blob['stream']> {
    return ReadableStream.from(this.#parts.map((part) => Buffer.from(part)));
  }
}

function toFile(location: string, { content }: SourceFile) {
  return {
    fileName: location.split('/').at(-1) ?? '',
    mediaType: 'image/png',
    facts: { mediaType: 'image/png', bytes: content.length },
    content: new PromptBlob([content]),
    sha256: sha256(content),
    [Symbol.asyncDispose]: async () => {},
  };
}

function locationOf(source: AttachmentSource): string {
  if (source.is === 'location') return source.location;
  throw new Error('No record has inline data.');
}

function isRemote(location: string): boolean {
  return location.startsWith('https:');
}
