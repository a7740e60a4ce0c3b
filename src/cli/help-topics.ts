import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { packageDir } from '../app/version.ts';

/** A page of the documentation that comes with the program. */
export interface Topic {
  name: string;
  title: string;
  text: string;
}

/** Reads the pages for users. An installation without docs has none. */
export function readTopics(docs = join(packageDir(), 'docs')): Topic[] {
  if (!existsSync(docs)) return [];
  const files = readdirSync(docs).filter((file) => file.endsWith('.md') && file !== 'README.md');
  return files.toSorted().map((file) => {
    const text = readFileSync(join(docs, file), 'utf8');
    return { name: basename(file, '.md'), title: /^# (.*)$/m.exec(text)?.[1] ?? file, text };
  });
}
