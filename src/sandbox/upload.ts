import { extname } from 'node:path';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from '../core/pictures/image-size.ts';
import type { Payload } from '../core/record.ts';
import { ApiError } from './http/errors.ts';
import { checkContentType } from './http/headers.ts';
import { type Query, single } from './list.ts';
import type { SandboxSwitches } from './options.ts';
import { fileAttribute, type SandboxUploads } from './store/upload-store.ts';

interface UploadType {
  type: string;
  typeName: string;
  /** File name extensions, the usual one first. */
  endings: string[];
}

/** The types of file that the API shows, by their detected content. */
const shownTypes: Record<string, UploadType> = {
  'image/png': { type: 'image', typeName: 'PNG image', endings: ['png'] },
  'image/jpeg': { type: 'image', typeName: 'JPEG image', endings: ['jpg', 'jpeg'] },
  'image/gif': { type: 'image', typeName: 'GIF image', endings: ['gif'] },
  'image/webp': { type: 'image', typeName: 'WebP image', endings: ['webp'] },
  'application/pdf': { type: 'pdf', typeName: 'PDF document', endings: ['pdf'] },
};

/** Path below /api/v1. */
export const uploadPath = '/calendar/upload';

/** Adds the upload of files (API: "Event file upload", "Upload result"). */
export async function uploadRoutes(
  api: FastifyInstance,
  uploads: SandboxUploads,
  switches: SandboxSwitches,
): Promise<void> {
  await api.register(multipart, {
    limits: { fileSize: switches.maxUploadBytes, files: 1, fields: 20, fieldSize: 65_536, parts: 21, headerPairs: 50 },
  });

  api.post(uploadPath, { onResponse: drain }, async (request, reply) => {
    const attribute = attributeOf(request);
    checkContentType(request, 'multipart/form-data');
    const file = await sentFile(request).catch(rethrowFormError);
    if (!file) throw new ApiError(422, 'upload: the form has no file in this field.');
    return reply.code(switches.uploadStatus).send(await keepUpload(uploads, attribute, file, switches));
  });
}

/** Reads the rest of a refused form: an unread rest would hold up the next request of the connection. */
async function drain({ raw }: FastifyRequest): Promise<void> {
  if (!raw.complete) raw.unpipe().resume();
}

interface SentFile {
  name: string;
  content: Buffer;
}

function attributeOf(request: FastifyRequest): string {
  const attribute = single(request.query as Query, 'attribute');
  if (!attribute) throw new ApiError(400, 'Query parameter attribute is required.');
  if (!fileAttribute.test(attribute)) throw new ApiError(422, 'attribute: is not the layout key of an attribute.');
  return attribute;
}

/** Rethrows an error of the form parser, which throws plain errors for truncated or malformed forms. */
function rethrowFormError(error: unknown): never {
  if (error instanceof Error && 'statusCode' in error) throw error;
  throw new ApiError(400, 'The form is not valid multipart/form-data.');
}

async function sentFile(request: FastifyRequest): Promise<SentFile | undefined> {
  let file: SentFile | undefined;
  for await (const part of request.files()) {
    const content = await part.toBuffer();
    // A part without a file name has none here either, whatever the types say.
    if (part.fieldname === 'upload') file = { name: part.filename ?? '', content };
  }
  return file;
}

/** Keeps a file for an attribute and returns its upload result. @throws ApiError 415, 422 */
async function keepUpload(
  uploads: SandboxUploads,
  attribute: string,
  { name, content }: SentFile,
  { uploadTypes }: SandboxSwitches,
): Promise<Payload & { src: string }> {
  const found = await fileTypeFromBuffer(content.subarray(blanksBeforePdf(content)));
  const mediaType = found?.mime ?? '';
  if (!uploadTypes.includes('any') && !uploadTypes.includes(mediaType)) {
    throw new ApiError(415, `upload: the file is not of an accepted type: ${uploadTypes.join(', ')}.`);
  }
  const accepted = shownTypes[mediaType] ?? otherType(found?.ext ?? endingOf(name));
  const { base, extension } = safeName(name, accepted.endings);
  const fileName = `${base}.${extension}`;
  const { type, typeName } = accepted;
  const image = type === 'image' ? imageAttributes(mediaType, base, content) : {};
  const src = await uploads.put(attribute, fileName, content);
  return { src, fileName, fileExtension: extension, type, typeName, ...image };
}

/** Returns the number of blanks before a PDF: readers of PDF ignore them. */
function blanksBeforePdf(content: Buffer): number {
  return /^\s+(?=%PDF-)/.exec(content.toString('latin1', 0, 1024))?.[0].length ?? 0;
}

function otherType(ending: string): UploadType {
  return { type: 'file', typeName: `${ending.toUpperCase()} file`, endings: [ending] };
}

/** The ending for a text file: its content does not show its type. */
function endingOf(name: string): string {
  return /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? 'bin';
}

function imageAttributes(mediaType: string, base: string, content: Buffer): Payload {
  const size = imageSize(mediaType, content);
  if (!size) throw new ApiError(422, 'upload: the image is damaged.');
  return { alt: base.replace(/[-_.]+/g, ' ').trim(), height: String(size.height), width: String(size.width) };
}

/** A name that is safe in paths, URLs and headers: plain letters, digits, _ and -, and an ending for the content. */
function safeName(name: string, endings: string[]): { base: string; extension: string } {
  const given = extname(name).slice(1).toLowerCase();
  const extension = endings.includes(given) ? given : (endings[0] ?? '');
  const base = name
    .slice(0, name.length - extname(name).length)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
  return { base: base || 'file', extension };
}
