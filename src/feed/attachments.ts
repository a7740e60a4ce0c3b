import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { AttachmentFile, AttachmentReader } from '../core/attachment.ts';
import { CodedError } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import type { AttachmentSource } from '../core/record.ts';
import { safeFileName } from './file-name.ts';
import { httpRequest } from './http.ts';
import { type Location, parseLocation, redactUrl } from './location.ts';
import { uploadableType } from './media-types.ts';

export interface AttachmentOptions {
  /** Absolute folder that relative paths start at; without it they are refused. */
  baseDir?: string;
  /** Cap of one file, in bytes. Default 50 MB. */
  maxBytes?: number;
  /** Longest wait, in ms, for the connection, the answer and between two pieces of it. Default 60 s. */
  timeoutMs?: number;
  allowPrivateNetwork?: boolean;
  /** HTTP headers for every remote file. */
  headers?: Record<string, string>;
}

type Limits = AttachmentOptions & { maxBytes: number; timeoutMs: number; allowPrivateNetwork: boolean };

interface Opened {
  /** For messages. */
  place: string;
  /** Path or name that the file name is made of. */
  name: string;
  content: Blob;
}

/** Opens attachments: local files (streamed from disk), http(s) addresses behind the address guard, and inline base64. */
export function createAttachmentReader(options: AttachmentOptions = {}): AttachmentReader {
  const limits: Limits = { maxBytes: 50_000_000, timeoutMs: 60_000, allowPrivateNetwork: false, ...defined(options) };
  const hashes = new Map<string, Promise<string>>();
  return {
    fingerprint: (source) => fingerprint(source, limits, hashes),
    read: async (source, signal) => toFile(await open(source, limits, signal), limits),
  };
}

async function fingerprint(source: AttachmentSource, limits: Limits, hashes: Map<string, Promise<string>>) {
  if (source.is === 'inline') return sha256(fromBase64(source.base64, limits));
  const place = locate(source.location, limits);
  if (place.is === 'http') return `url:${sha256(place.url.href)}`;
  const { size, mtimeMs } = await fileInfo(place.path);
  const known = `${place.path}\n${size}\n${mtimeMs}`;
  const hash = hashes.get(known) ?? openLocal(place.path).then(hashBlob);
  hashes.set(known, hash);
  return hash;
}

async function open(source: AttachmentSource, limits: Limits, signal: AbortSignal | undefined): Promise<Opened> {
  if (source.is === 'inline') {
    const content = new Blob([fromBase64(source.base64, limits)]);
    return { place: 'The inline file', name: source.fileName ?? 'file', content };
  }
  const place = locate(source.location, limits);
  if (place.is === 'http') return download(place.url, limits, signal);
  await fileInfo(place.path);
  return { place: place.path, name: place.path, content: await openLocal(place.path) };
}

async function toFile({ place, name, content }: Opened, limits: Limits): Promise<AttachmentFile> {
  if (content.size > limits.maxBytes) throw tooLarge(place, limits);
  const type = await uploadableType(content).catch((cause: unknown) => {
    throw unreadable(place, cause);
  });
  if (type === undefined) {
    throw new CodedError('FF_ATTACHMENT_TYPE', `${place} is not a file that may be uploaded (judged by its content).`);
  }
  const sha = await hashBlob(content);
  return { fileName: safeFileName(name, type.extensions), mediaType: type.mediaType, content, sha256: sha };
}

async function download(url: URL, limits: Limits, signal: AbortSignal | undefined): Promise<Opened> {
  const place = redactUrl(url);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    const { body } = await httpRequest(url, { ...limits, signal, accept: '*/*', acceptEncoding: 'identity' });
    for await (const chunk of body) {
      length += chunk.length;
      if (length > limits.maxBytes) throw tooLarge(place, limits);
      chunks.push(new Uint8Array(chunk));
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof CodedError && error.code === 'FF_ATTACHMENT_TOO_LARGE' ? error : unreadable(place, error);
  }
  return { place, name: decodedPath(url), content: new Blob(chunks) };
}

function locate(location: string, limits: Limits): Location {
  try {
    const place = parseLocation(location);
    if (place.is === 'http') return place;
    if (limits.baseDir !== undefined) return { is: 'file', path: resolve(limits.baseDir, place.path) };
    if (isAbsolute(place.path)) return place;
  } catch (error) {
    throw unreadable('The attachment', error);
  }
  throw new CodedError('FF_ATTACHMENT_UNREADABLE', `${location} is neither an absolute path nor an address.`);
}

async function fileInfo(path: string): Promise<{ size: number; mtimeMs: number }> {
  const info = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!info.isFile()) throw new CodedError('FF_ATTACHMENT_UNREADABLE', `${path} is not a file.`);
  return info;
}

function openLocal(path: string): Promise<Blob> {
  return openAsBlob(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
}

async function hashBlob(content: Blob): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content.stream()) hash.update(chunk);
  return hash.digest('hex');
}

function fromBase64(base64: string, limits: Limits): Uint8Array<ArrayBuffer> {
  // Four characters carry three bytes.
  if (base64.length > limits.maxBytes * 1.4 + 4) throw tooLarge('The inline file', limits);
  if (!/^[\w+/\s-]*={0,2}\s*$/.test(base64)) {
    throw new CodedError('FF_ATTACHMENT_UNREADABLE', 'The inline file is not valid base64.');
  }
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

function decodedPath(url: URL): string {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}

function unreadable(place: string, cause: unknown): CodedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = reason.startsWith(place) ? reason : `${place} could not be read: ${reason}`;
  return new CodedError('FF_ATTACHMENT_UNREADABLE', message, { cause });
}

function tooLarge(place: string, limits: Limits): CodedError {
  return new CodedError('FF_ATTACHMENT_TOO_LARGE', `${place} has more than ${limits.maxBytes} bytes.`);
}

function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
