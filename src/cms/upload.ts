import { FormData } from 'undici';
import { CodedError } from '../core/errors.ts';
import { type UploadResult, uploadSchema } from './items.ts';
import { toSearchParams } from './query.ts';
import type { CmsRequest } from './request.ts';
import type { CallOptions } from './resource.ts';

/** A file to be stored. A Blob from `fs.openAsBlob` is streamed, not read into memory. */
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
 * The request that stores a file for an event attribute (API: "Event file upload").
 * @throws CodedError FF_ATTACHMENT_TOO_LARGE where the file has more than `maxBytes`.
 */
export function uploadRequest(
  attribute: string,
  file: UploadFile,
  maxBytes: number,
  { instance, ...call }: UploadCall,
): CmsRequest<UploadResult> {
  const { fileName, mediaType, content } = file;
  if (content.size > maxBytes) {
    const problem = `${fileName} has ${content.size} bytes; at most ${maxBytes} may be uploaded`;
    throw new CodedError('FF_ATTACHMENT_TOO_LARGE', `${problem} (attribute ${attribute}).`);
  }
  const body = new FormData();
  body.set('upload', content.slice(0, content.size, mediaType), fileName);
  const query = toSearchParams({ instance });
  query.set('attribute', attribute);
  return {
    method: 'POST',
    operation: 'events.upload',
    path: 'calendar/upload',
    query,
    body,
    schema: uploadSchema,
    ...call,
  };
}
