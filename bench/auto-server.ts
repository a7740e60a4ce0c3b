// The CMS of one profile, as an HTTP server in a process of its own: auto-server.ts <name>. Tells its port to its parent.
import { createServer } from 'node:http';
import { profiles } from './auto/profiles.ts';

const profile = profiles.find(({ name }) => name === process.argv[2]);
if (!profile) throw new Error(`There is no profile named "${process.argv[2]}".`);
const cms = profile.cms();
const startedAt = performance.now();
let inFlight = 0;
const server = createServer((_request, response) => {
  inFlight += 1;
  const { status, tookMs, retryAfterMs } = cms({ at: performance.now() - startedAt, inFlight, random: Math.random });
  setTimeout(() => {
    inFlight -= 1;
    const headers = retryAfterMs === undefined ? {} : { 'retry-after': String(retryAfterMs / 1000) };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(status === 200 ? '{"id":1}' : '{"errors":[]}');
  }, tookMs);
}).listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address ? address.port : 0);
});
process.on('disconnect', () => process.exit());
