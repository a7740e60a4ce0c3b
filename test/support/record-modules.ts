// Preloaded into a process (node --import): when the process ends, writes the files that it has loaded to file descriptor 3.
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

const urls = new Set<string>();
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) urls.add(url);
    return next(url, context);
  },
});
process.on('exit', () => writeSync(3, JSON.stringify([...urls])));
