// npm run names: exits non-zero when two files of src and connectors export the same name, and lists them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const filesByName = new Map<string, string[]>();
for (const folder of ['src', 'connectors']) {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const path = join(folder, file);
    const exported = readFileSync(path, 'utf8').matchAll(
      /^export (?:async )?(?:function\*?|const|let|class|abstract class|interface|type|enum) (\w+)/gm,
    );
    for (const name of new Set([...exported].map(([, name = '']) => name))) {
      filesByName.set(name, [...(filesByName.get(name) ?? []), path]);
    }
  }
}

const duplicates = [...filesByName].filter(([, files]) => files.length > 1);
for (const [name, files] of duplicates) console.error(`${name} is exported by ${files.join(' and ')}`);
process.exitCode = duplicates.length > 0 ? 1 : 0;
