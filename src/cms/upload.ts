import { FormData } from 'undici';
import { CodedError } from '../core/errors.ts';
import { type UploadResult, uploadSchema } from './items.ts';
import { toSearchParams } from './query.ts';
import type { CallOptions, CmsRequest } from './request.ts';

/** A file to upload. A Blob from `fs.openAsBlob` is streamed, not read into memory. */
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
  const { fileName, mediaType, content } = file;
  if (content.size > maxBytes) {
    const message = `${fileName} (attribute ${attribute}) has ${content.size} bytes, more than the limit of ${maxBytes}.`;
    throw new CodedError('FF_ATTACHMENT_TOO_LARGE', message);
  }
  const form = new FormData();
  form.set('upload', content.slice(0, content.size, mediaType), fileName);
  const query = toSearchParams({ instance });
  query.set('attribute', attribute);
  const request = { method: 'POST', operation: 'events.upload', path: 'calendar/upload' } as const;
  return { ...request, query, form, schema: uploadSchema, ...call };
}
