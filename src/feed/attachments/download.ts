import { createHash } from 'node:crypto';
import type { RemoteFile } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { type FeedRequestOptions, type HttpResponse, httpRequest, type Validators } from '../location/http-request.ts';
import { redactUrl } from '../location/location.ts';
import { tooLarge, unreadable } from './attachment-file.ts';
import { writeTemporaryFile } from './temporary-file.ts';

/** A remote file that lies on this machine until it is disposed of. */
export interface Download extends AsyncDisposable {
  content: Blob;
  /** What tells the file again. */
  remote: RemoteFile;
}

export interface DownloadOptions extends Omit<FeedRequestOptions, 'accept' | 'acceptEncoding' | 'validators'> {
  /** Cap of the file, in bytes. */
  maxBytes: number;
}

/**
 * Streams a remote file to a temporary one.
 * @throws CodedError FF_ATTACHMENT_UNREADABLE or FF_ATTACHMENT_TOO_LARGE; what the signal was aborted with
 */
export function download(url: URL, options: DownloadOptions): Promise<Download> {
  return inTermsOfFiles(url, options, async () => store(url, await request(url, options), options));
}

/**
 * The same for a file that may be as the validators say: then undefined (RFC 9110, 13).
 * @throws as `download` does
 */
export function downloadIfChanged(
  url: URL,
  validators: Validators,
  options: DownloadOptions,
): Promise<Download | undefined> {
  return inTermsOfFiles(url, options, async () => {
    const response = await request(url, { ...options, validators });
    return response.status === 304 ? undefined : store(url, response, options);
  });
}

function request(url: URL, options: FeedRequestOptions): Promise<HttpResponse> {
  return httpRequest(url, { ...options, accept: '*/*', acceptEncoding: 'identity' });
}

async function store(url: URL, { headers, body }: HttpResponse, { maxBytes }: DownloadOptions): Promise<Download> {
  const hash = createHash('sha256');
  const { content, [Symbol.asyncDispose]: dispose } = await writeTemporaryFile(measured());
  const remote = { sha256: hash.digest('hex'), etag: headers.etag, lastModified: headers['last-modified'] };
  return { content, remote, [Symbol.asyncDispose]: dispose };

  async function* measured(): AsyncGenerator<Uint8Array> {
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge(redactUrl(url), maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  }
}

async function inTermsOfFiles<Result>(
  url: URL,
  { signal }: DownloadOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    const isOurs = error instanceof CodedError && error.code === 'FF_ATTACHMENT_TOO_LARGE';
    throw isOurs ? error : unreadable(redactUrl(url), error);
  }
}
