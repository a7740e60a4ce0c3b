import { createHash } from 'node:crypto';
import type { RemoteFile } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { type FeedRequestOptions, httpRequest } from '../location/http-request.ts';
import { redactUrl } from '../location/location.ts';
import { tooLarge, unreadable } from './attachment-file.ts';
import { writeTemporaryFile } from './temporary-file.ts';

/** A copy of a remote file. Disposing it removes the copy. */
export interface Download extends AsyncDisposable {
  content: Blob;
  remote: RemoteFile;
}

export interface DownloadOptions extends Omit<FeedRequestOptions, 'accept' | 'acceptEncoding'> {
  maxBytes: number;
}

/**
 * Streams a remote file to a temporary one. Returns undefined if validators are given and still hold (RFC 9110, 13).
 * @throws CodedError FF_ATTACHMENT_UNREADABLE or FF_ATTACHMENT_TOO_LARGE; the reason of the signal if it is aborted
 */
export async function download(url: URL, options: DownloadOptions): Promise<Download | undefined> {
  const place = redactUrl(url);
  const hash = createHash('sha256');
  try {
    const response = await httpRequest(url, { ...options, accept: '*/*', acceptEncoding: 'identity' });
    if (response.status === 304) return undefined;
    const { content, [Symbol.asyncDispose]: dispose } = await writeTemporaryFile(measured(response.body));
    const { etag, 'last-modified': lastModified } = response.headers;
    return { content, remote: { sha256: hash.digest('hex'), etag, lastModified }, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    options.signal?.throwIfAborted();
    const isTooLarge = error instanceof CodedError && error.code === 'FF_ATTACHMENT_TOO_LARGE';
    throw isTooLarge ? error : unreadable(place, error);
  }

  async function* measured(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      if (length > options.maxBytes) throw tooLarge(place, options.maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  }
}
