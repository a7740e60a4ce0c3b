import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

const NAME = 'THIRD-PARTY-LICENSES.txt';
const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
const RULE = '-'.repeat(80);

/** Adds the licenses of all packages whose code is in the bundle, with their versions. */
export function thirdPartyLicenses(): Plugin {
  return {
    name: 'third-party-licenses',
    generateBundle(_, files) {
      const modules = Object.values(files).flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
      const dirs = new Set(modules.flatMap((id) => PACKAGE.exec(id)?.[1] ?? []));
      const licenses = [...new Set([...dirs].map(licenseOf))].sort();
      const intro = 'The program in this folder contains code of these packages, under these licenses:';
      this.emitFile({ type: 'asset', fileName: NAME, source: [intro, ...licenses].join(`\n\n${RULE}\n\n`) });
    },
  };
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
