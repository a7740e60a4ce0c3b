// What people write who need no ledger: bare-loop.ts <csv file>. One POST a row, so many in flight; run again, it doubles all.
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import pLimit from 'p-limit';
import { Pool } from 'undici';
import { CONCURRENCY } from './event-sync.ts';

const [file = ''] = process.argv.slice(2);
const pool = new Pool(process.env.CMS_BASE_URL ?? '', { connections: CONCURRENCY });
const headers = {
  accept: 'application/json',
  'content-type': 'application/json',
  'user-agent': 'bare-loop',
  authorization: `Bearer ${process.env.CMS_API_TOKEN}`,
};
const limit = pLimit(CONCURRENCY);
const posts: Array<Promise<void>> = [];
for await (const row of createReadStream(file).pipe(parse({ columns: true }))) posts.push(limit(post, row));
await Promise.all(posts);
await pool.close();

async function post({ id, title, date, start, end, text, room }: Record<string, string>): Promise<void> {
  const event = {
    title,
    date,
    endDate: date,
    time: { start: `${start}:00`, end: `${end}:00`, type: 'timed' },
    description: text,
    location: room,
    source: id,
  };
  const body = JSON.stringify(event);
  const answer = await pool.request({ method: 'POST', path: '/api/v1/calendar/events', headers, body });
  const created = await answer.body.json();
  if (answer.statusCode !== 201) throw new Error(`${title}: ${answer.statusCode} ${JSON.stringify(created)}`);
}
