import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { GivenFile } from '../../app/drafts/browser-source.ts';
import { parsed } from '../api/endpoint.ts';

const MOST_UPLOAD_BYTES = 5_000_000;
const fileForm = z.object({ file: z.object({ name: z.string(), content: z.instanceof(Uint8Array) }) });

type TakeFile = (file: GivenFile, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Takes files from forms. These forms are read by themselves, because other forms are much smaller. */
export async function fileRoutes(server: FastifyInstance, routes: Readonly<Record<string, TakeFile>>): Promise<void> {
  await server.register(multipart, {
    attachFieldsToBody: 'keyValues',
    limits: { fileSize: MOST_UPLOAD_BYTES, files: 1, fields: 5, fieldSize: 2000, parts: 6, headerPairs: 50 },
    async onFile(part) {
      const content = await part.toBuffer();
      Object.assign(part, { value: { name: part.filename, content } });
    },
  });
  for (const [path, take] of Object.entries(routes)) {
    server.post(path, { bodyLimit: MOST_UPLOAD_BYTES + 10_000 }, async (request, reply) => {
      return take(parsed(fileForm, request.body).file, request, reply);
    });
  }
}
