import { randomUUID } from 'node:crypto';
import { CodedError } from '../core/errors.ts';
import { type UploadResult, uploadSchema } from './items.ts';
import { toSearchParams } from './query.ts';
import type { CallOptions, CmsRequest, FormBody } from './request.ts';

/** The bytes of a file. A Blob from `fs.openAsBlob` and a stream are not read into memory. */
export type FileContent = Blob | Uint8Array | AsyncIterable<Uint8Array>;

/** A file to upload. */
export interface UploadFile {
  fileName: string;
  /** Default: the type of a Blob, else application/octet-stream. */
  mediaType?: string;
  content: FileContent;
}

/** How much of a file was sent. */
export interface UploadProgress {
  sentBytes: number;
  /** Absent for a stream. */
  totalBytes?: number;
}

/** Options of an upload; `instance` is the calendar's instance key. */
export interface UploadCall extends CallOptions {
  instance?: string;
  /** Called each time the connection takes bytes of the file. It must not throw. */
  onProgress?: (progress: UploadProgress) => void;
}

/**
 * Returns the request that stores a file for an event attribute (API: "Event file upload").
 * @throws CodedError FF_ATTACHMENT_TOO_LARGE
 */
export function uploadRequest(
  attribute: string,
  file: UploadFile | File,
  maxBytes: number,
  { instance, onProgress, ...call }: UploadCall,
): CmsRequest<UploadResult> {
  const part = file instanceof Blob ? { fileName: file.name, content: file } : file;
  const totalBytes = sizeOf(part.content);
  const check = (bytes: number) => {
    if (bytes <= maxBytes) return;
    const has = totalBytes === undefined ? 'more' : `${totalBytes} bytes, more`;
    const message = `${part.fileName} (attribute ${attribute}) has ${has} than the limit of ${maxBytes} bytes.`;
    throw new CodedError('FF_ATTACHMENT_TOO_LARGE', message);
  };
  check(totalBytes ?? 0);
  const query = toSearchParams({ instance });
  query.set('attribute', attribute);
  const form = formOf(part, (sentBytes) => {
    check(sentBytes);
    onProgress?.({ sentBytes, totalBytes });
  });
  const request = { method: 'POST', operation: 'events.upload', path: 'calendar/upload' } as const;
  return { ...request, query, form, schema: uploadSchema, ...call };
}

/** Returns a form with one file. The parts are written here, because undici's forms take no streams. */
function formOf({ fileName, mediaType, content }: UploadFile, onSent: (bytes: number) => void): FormBody {
  const boundary = `feedferry-${randomUUID()}`;
  const type = mediaType ?? (content instanceof Blob && content.type ? content.type : 'application/octet-stream');
  const disposition = `form-data; name="upload"; filename="${quoted(fileName)}"`;
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${withoutBreaks(type)}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const size = sizeOf(content);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: size === undefined ? undefined : head.length + size + tail.length,
    async *chunks(onChunk) {
      yield head;
      let sent = 0;
      for await (const chunk of piecesOf(content)) {
        yield chunk;
        sent += chunk.length;
        onChunk();
        onSent(sent);
      }
      yield tail;
      onChunk();
    },
  };
}

function sizeOf(content: FileContent): number | undefined {
  if (content instanceof Blob) return content.size;
  return content instanceof Uint8Array ? content.byteLength : undefined;
}

/** Splits the content into pieces: each taken piece is progress, and a Blob in memory has only one chunk. */
async function* piecesOf(content: FileContent, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  const chunks = content instanceof Blob ? content.stream() : content instanceof Uint8Array ? [content] : content;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += size) yield chunk.subarray(start, start + size);
  }
}

/** Quotes a file name as browsers do in forms (HTML, "Multipart form data"). */
function quoted(fileName: string): string {
  return fileName.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

function withoutBreaks(mediaType: string): string {
  return mediaType.replace(/[^\x20-\x7e]/g, '');
}
