import { describe, expect, test } from 'vitest';
import { createEvent, withSandbox } from './harness.ts';

describe('/healthz', () => {
  const api = withSandbox();

  test('is public, and no request to the API', async () => {
    await createEvent(api);
    const response = await fetch(`${api.url}/healthz`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
    expect((await api.call('GET', '/_sandbox/stats')).body.total).toBe(1);
  });
});
