import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const RULE = '-'.repeat(80);

/** Collects the licenses of all packages whose code is in the bundles, with their versions. */
export function thirdPartyLicenses() {
  const dirs = new Set<string>();
  const plugin: Plugin = {
    name: 'third-party-licenses',
    generateBundle(_, files) {
      const modules = Object.values(files).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
      for (const file of modules) add(file);
    },
  };
  return { plugin, add, write };

  /** Adds the package of a file. */
  function add(file: string): void {
    const dir = PACKAGE.exec(file)?.[1];
    if (dir !== undefined) dirs.add(dir);
  }

  function write(file: string): void {
    const licenses = [...new Set([...dirs].map(licenseOf))].sort();
    const intro = 'The program in this folder contains code of these packages, under these licenses:';
    writeFileSync(file, `${[intro, ...licenses].join(`\n\n${RULE}\n\n`)}\n`);
  }
}

/** @throws Error for a package that names no license */
function licenseOf(dir: string): string {
  const { name, version, license, author, repository } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} names no license`);
  const files = readdirSync(dir).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files.map((file) => readFileSync(join(dir, file), 'utf8').trim());
  // A few packages have only a line in package.json.
  const holder = `${author?.name ?? author ?? ''} ${repository?.url ?? repository ?? ''}`.trim();
  return [`${name} ${version} (${license})`, ...(texts.length > 0 ? texts : [holder])].join('\n\n');
}
