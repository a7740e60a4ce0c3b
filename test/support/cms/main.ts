// main.ts PORT TOKEN DATA TIMEZONE: the CMS of a test in a process of its own. Prints its address as JSON when it is ready.
import { startTestCms } from './start-cms.ts';

const [port, token, dataDir, timezone] = process.argv.slice(2);
const cms = await startTestCms({ port: Number(port), token, dataDir, timezone });
process.once('SIGTERM', () => cms.close());
console.log(JSON.stringify({ url: cms.url }));
