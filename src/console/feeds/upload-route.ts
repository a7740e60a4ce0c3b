import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { GivenFeed } from '../../app/drafts/browser-source.ts';
import { parsed } from '../api/endpoint.ts';
import { UPLOAD } from './new-feed.ts';

const MOST_UPLOAD_BYTES = 5_000_000;

/** Takes a file from a form. The form is read by itself, because other forms are much smaller. */
export async function uploadRoute(
  server: FastifyInstance,
  open: (given: GivenFeed, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): Promise<void> {
  await server.register(multipart, {
    attachFieldsToBody: 'keyValues',
    limits: { fileSize: MOST_UPLOAD_BYTES, files: 1, fields: 5, fieldSize: 2000, parts: 6, headerPairs: 50 },
    async onFile(part) {
      const content = await part.toBuffer();
      Object.assign(part, { value: { name: part.filename, content } });
    },
  });
  server.post(UPLOAD, { bodyLimit: MOST_UPLOAD_BYTES + 10_000 }, async (request, reply) => {
    const { file } = parsed(
      z.object({ file: z.object({ name: z.string(), content: z.instanceof(Uint8Array) }) }),
      request.body,
    );
    return open(file, request, reply);
  });
}
