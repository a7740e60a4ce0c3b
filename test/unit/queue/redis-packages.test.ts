import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { checkRedisPackages } from '../../../src/queue/redis-packages.ts';
import { folderOf } from '../../support/folder.ts';

const root = join(import.meta.dirname, '../../..');
const { dependencies, devDependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

test('All packages for Redis are optional peers, in the versions that are tested', () => {
  const names = Object.keys(peerDependencies);
  expect(names).toEqual(['@bull-board/api', '@bull-board/fastify', 'bullmq', 'ioredis']);
  for (const name of names) {
    expect(peerDependenciesMeta[name]).toEqual({ optional: true });
    expect(peerDependencies[name]).toBe(`^${devDependencies[name]}`);
    expect(dependencies).not.toHaveProperty(name);
  }
});

test('Nothing is reported if they are installed', () => {
  expect(() => checkRedisPackages()).not.toThrow();
});

test('The missing ones are named, with the command that installs all of them', () => {
  const project = folderOf({
    'node_modules/bullmq/package.json': '{ "name": "bullmq" }',
    'node_modules/ioredis/package.json': '{ "name": "ioredis" }',
  });
  expect(() => checkRedisPackages(pathToFileURL(join(project, 'sync.js')).href)).toThrow(
    expect.objectContaining({
      code: 'FF_QUEUE_PACKAGES',
      message: expect.stringMatching(
        /^REDIS_URL is set, but @bull-board\/api, @bull-board\/fastify are not installed\. Run: npm install (--global )?@bull-board\/api@9 @bull-board\/fastify@9 bullmq@6 ioredis@6$/,
      ),
    }),
  );
});
