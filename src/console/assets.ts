import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { packageDir } from '../app/version.ts';
import { sha256 } from '../core/hash.ts';

const HTMX = 'dist/htmx.min.js';
const TYPES = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

interface Asset {
  path: string;
  type: string;
  content: Buffer;
  zipped: Buffer;
}

let loaded: Map<string, Asset> | undefined;

/** Returns the address of a file; it changes with the content. */
export function assetPath(name: string): string {
  const asset = assets().get(name);
  if (!asset) throw new Error(`There is no asset "${name}".`);
  return asset.path;
}

/** Serves the files to everyone: the log-in page needs them, and they are public. */
export function assetRoutes(server: FastifyInstance): void {
  for (const { path, type, content, zipped } of assets().values()) {
    server.get(path, async ({ headers }, reply) => {
      reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' }).type(type);
      if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(content);
      return reply.header('content-encoding', 'gzip').send(zipped);
    });
  }
}

function assets(): Map<string, Asset> {
  loaded ??= new Map(assetFiles().map((file) => [basename(file), read(file)]));
  return loaded;
}

/** Returns the files that the pages load. The build does not compile this package's files, so their path is always the same. */
function assetFiles(): string[] {
  const own = join(packageDir(), 'src/console/assets');
  const htmx = dirname(findPackageJSON('htmx.org', import.meta.url) ?? '');
  return [...readdirSync(own).map((file) => join(own, file)), join(htmx, HTMX)];
}

function read(file: string): Asset {
  const content = readFileSync(file);
  const extension = extname(file);
  const path = `/assets/${basename(file, extension)}-${sha256(content).slice(0, 12)}${extension}`;
  return { path, type: TYPES.get(extension) ?? 'application/octet-stream', content, zipped: gzipSync(content) };
}
