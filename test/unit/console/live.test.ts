import { expect, test } from 'vitest';
import { startServer } from '../../../src/console/server.ts';
import { CodedError } from '../../../src/core/errors.ts';
import { aRun, fakeConsole } from './fake-console.ts';
import { optionsOf, serve } from './server.ts';

/** A run that is further each time it is asked for, and how often that was. */
function progressing(steps: number) {
  const asked = { times: 0 };
  const run = async () => {
    asked.times += 1;
    const isEnd = asked.times >= steps;
    return aRun(isEnd ? { status: 'success', finishedAt: '2027-03-01T10:00:03.000Z' } : { changes: asked.times });
  };
  return { asked, run };
}

function eventsOf(text: string) {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  return blocks.map((block) => {
    const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line)?.slice(1) ?? []);
    const data = lines.filter(([name]) => name === 'data').map(([, value]) => value);
    return { event: lines.find(([name]) => name === 'event')?.[1], data: data.join('\n') };
  });
}

test('A live run is sent until its end', async () => {
  const { run } = progressing(3);
  const url = await serve({ console: fakeConsole({ queries: { run } }) });
  const response = await fetch(`${url}/api/runs/r1/live`);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const events = eventsOf(await response.text());
  expect(events.map(({ event }) => event)).toEqual(['run', 'run', 'run', 'end']);
  expect(events.slice(0, 3).map(({ data }) => JSON.parse(data).status)).toEqual(['running', 'running', 'success']);
});

test('Many viewers of a run cost one question a second', async () => {
  const { run, asked } = progressing(Number.POSITIVE_INFINITY);
  const url = await serve({ console: fakeConsole({ queries: { run } }) });
  const viewers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/api/runs/r1/live`)));
  const bodies = viewers.map(({ body }) => body!.getReader());
  const read = () => Promise.all(bodies.map((body) => body.read()));
  await read();
  expect(asked.times).toBe(20);
  await read();
  await read();
  expect(asked.times).toBeLessThanOrEqual(23);
  await Promise.all(bodies.map((body) => body.cancel()));
});

test('A page gets its changed part, and a text of a feed ends neither line nor event', async () => {
  const run = async () => aRun({ finishedAt: '2027-03-01T10:00:03.000Z' });
  const pages = { liveRun: () => '<p>Maps\r\revent: end\r\ndata: x</p>' };
  const url = await serve({ console: fakeConsole({ queries: { run }, pages }) });
  const text = await (await fetch(`${url}/runs/r1/live`)).text();
  expect(text).not.toContain('\r');
  expect(eventsOf(text)).toEqual([
    { event: undefined, data: '<p>Maps\n\nevent: end\ndata: x</p>' },
    { event: 'end', data: '' },
  ]);
});

test('An unknown run is an error, not a stream', async () => {
  const run = () => Promise.reject(new CodedError('FF_RUN_UNKNOWN', 'There is no such run.'));
  const url = await serve({ console: fakeConsole({ queries: { run } }) });
  const response = await fetch(`${url}/api/runs/r2/live`);
  expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'FF_RUN_UNKNOWN' } }]);
});

test('A stream that fails on the way ends without the event of its end, so that the viewer connects again', async () => {
  const { run: next, asked } = progressing(Number.POSITIVE_INFINITY);
  const run = () => (asked.times > 0 ? Promise.reject(new Error('The ledger is away')) : next());
  const url = await serve({ console: fakeConsole({ queries: { run } }) });
  const events = eventsOf(await (await fetch(`${url}/api/runs/r1/live`)).text());
  expect(events.map(({ event }) => event)).toEqual(['run']);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('A server that closes ends its streams', async () => {
  const { run } = progressing(Number.POSITIVE_INFINITY);
  const server = await startServer(optionsOf({ console: fakeConsole({ queries: { run } }) }));
  const response = await fetch(`${server.url}/api/runs/r1/live`);
  const ended = response.text().catch(() => 'ended');
  await server.close();
  await ended;
});
