import { randomUUID } from 'node:crypto';
import { CodedError } from '../core/errors.ts';
import { type UploadResult, uploadSchema } from './items.ts';
import { toSearchParams } from './query.ts';
import type { CallOptions, CmsRequest, FormBody } from './request.ts';

/** A file to upload. A Blob from `fs.openAsBlob` is not read into memory. */
export interface UploadFile {
  fileName: string;
  mediaType: string;
  content: Blob;
}

/** Options of an upload; `instance` is the calendar's instance key. */
export interface UploadCall extends CallOptions {
  instance?: string;
}

/**
 * Returns the request that stores a file for an event attribute (API: "Event file upload").
 * @throws CodedError FF_ATTACHMENT_TOO_LARGE
 */
export function uploadRequest(
  attribute: string,
  file: UploadFile,
  maxBytes: number,
  { instance, ...call }: UploadCall,
): CmsRequest<UploadResult> {
  const { size } = file.content;
  if (size > maxBytes) {
    const message = `${file.fileName} (attribute ${attribute}) has ${size} bytes, more than the limit of ${maxBytes} bytes.`;
    throw new CodedError('FF_ATTACHMENT_TOO_LARGE', message);
  }
  const query = toSearchParams({ instance });
  query.set('attribute', attribute);
  const request = { method: 'POST', operation: 'events.upload', path: 'calendar/upload' } as const;
  return { ...request, query, form: formOf(file), schema: uploadSchema, ...call };
}

/** Returns a form with one file. The parts are written here, so that each piece that the connection takes counts as progress. */
function formOf({ fileName, mediaType, content }: UploadFile): FormBody {
  const boundary = `feedferry-${randomUUID()}`;
  const disposition = `form-data; name="upload"; filename="${quoted(fileName)}"`;
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${withoutBreaks(mediaType)}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + content.size + tail.length,
    async *chunks(onChunk) {
      yield head;
      for await (const chunk of piecesOf(content)) {
        yield chunk;
        onChunk();
      }
      yield tail;
      onChunk();
    },
  };
}

/** Splits the content into pieces: a Blob in memory has only one chunk. */
async function* piecesOf(content: Blob, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for await (const chunk of content.stream()) {
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
