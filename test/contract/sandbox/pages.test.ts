import nodeIcal, { type VEvent } from 'node-ical';
import { describe, expect, test, vi } from 'vitest';
import { accounts, createEvent, events, onePixelPng, withSandbox } from './harness.ts';

const api = withSandbox({ timezone: 'America/New_York' });

async function calendar(path: string) {
  const response = await fetch(api.url + path);
  const text = await response.text();
  const event = Object.values(nodeIcal.parseICS(text)).find((component) => component?.type === 'VEVENT');
  return { response, text, event: event as VEvent };
}

describe('Public event page', () => {
  test('The page shows the event, its picture and a link to its other file', async () => {
    const upload = async (content: Uint8Array | string, name: string) => {
      const form = new FormData();
      form.set('upload', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
      return (await api.call('POST', '/calendar/upload?attribute=file', form)).body.src;
    };
    const [picture, paper] = [await upload(onePixelPng, 'a.png'), await upload('%PDF-1.4\n%%EOF\n', 'b.pdf')];
    const { url } = await createEvent(api, {
      title: 'Open day',
      image: { src: picture, alt: 'The "gate"' },
      flyer: { src: paper },
    });
    const response = await fetch(api.url + url);
    const html = await response.text();
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html).toContain('<h1>Open day</h1>');
    expect(html).toContain('2026-05-04 10:00:00');
    expect(html).toContain(`<img src="${picture}" alt="The &quot;gate&quot;">`);
    expect(html).toContain(`<a href="${paper}">`);
  });

  test('No attribute can add a script to the page', async () => {
    const attack = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
    const { id, url, editUrl } = await createEvent(api, {
      title: attack,
      description: `<p>Good</p>${attack}<a href="javascript:alert(1)">x</a><svg onload=alert(1)>`,
      image: { src: 'javascript:alert(1)', alt: attack },
      [`<script>${'x'}`]: attack,
    });
    const login = { authorization: `Basic ${Buffer.from(`any:${api.token}`).toString('base64')}` };
    for (const response of [
      await fetch(api.url + url),
      await fetch(api.url + editUrl, { headers: login }),
      await fetch(`${api.url}/`),
    ]) {
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(html).toContain(String(id));
      expect(html).not.toMatch(/<script|<svg|<[^>]*\son\w+=|(src|href)="javascript/i);
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
      expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(await (await fetch(api.url + url)).text()).toContain('<p>Good</p>');
  });

  test.each(['/events/999999', '/events/x', '/events/1e3.ics', '/nowhere'])('The page of %s is a 404', async (path) => {
    expect((await fetch(api.url + path)).status).toBe(404);
  });
});

describe('Start page', () => {
  const site = withSandbox();
  const startPage = async (query = '') => (await fetch(`${site.url}/${query}`)).text();

  test('An empty sandbox says so', async () => {
    const html = await startPage();
    expect(html).toContain('No events yet.');
    expect(html).toContain('No accounts yet.');
  });

  test('The newest 50 events of all instances are linked, then the others, and accounts are only counted', async () => {
    await site.call('POST', accounts, { username: 'ada' });
    const created = [];
    for (let index = 1; index <= 52; index += 1) {
      created.push(await createEvent(site, { title: `Talk ${index} <b>` }, index === 52 ? '?instance=arts' : ''));
    }
    const html = await startPage();
    expect(html).toContain('Events: 52. The newest first:');
    expect(html).toContain('Accounts: 1');
    expect(html).not.toContain('ada');
    const linksOf = (page: string) =>
      [...page.matchAll(/<a href="([^"]*)">([^<]*)<\/a>, 2026-05-04/g)].map(([, href, text]) => ({ href, text }));
    const links = linksOf(html);
    expect(links).toHaveLength(50);
    expect(links[0]).toEqual({ href: created.at(-1).url, text: 'Talk 52 &lt;b&gt;' });
    expect(links.at(-1)).toEqual({ href: created.at(2).url, text: 'Talk 3 &lt;b&gt;' });
    expect(html).toContain('Page 1 of 2. <a href="/?page=2">Older</a>');
    const second = await startPage('?page=2');
    expect(linksOf(second).map(({ href }) => href)).toEqual([created.at(1).url, created.at(0).url]);
    expect(second).toContain('Page 2 of 2. <a href="/?page=1">Newer</a>');
    expect((await fetch(`${site.url}/?page=x`)).status).toBe(400);
  });
});

describe('Pages for people', () => {
  const site = withSandbox();
  const login = () => ({ headers: { authorization: `Basic ${btoa(`any:${site.token}`)}` } });
  const page = async (path: string) => (await fetch(site.url + path, login())).text();

  test.each(['/admin/accounts', '/admin/journal', '/admin/journal/1'])('%s needs the token', async (path) => {
    await site.call('GET', accounts);
    expect((await fetch(site.url + path)).status).toBe(401);
    await vi.waitFor(async () => expect((await fetch(site.url + path, login())).status).toBe(200));
  });

  test('All accounts are linked by the name that they have, page by page', async () => {
    const names = [{}, { email: 'e@example.edu' }, { username: 'ada' }, { lastName: '<Low>', username: 'x' }];
    const ids: number[] = [];
    for (const name of [...names, { displayName: 'Ada Low', firstName: 'x' }, ...Array(50).fill({ username: 'more' })])
      ids.push((await site.call('POST', accounts, name)).body.id);
    expect(await page('/admin/accounts')).toContain('Accounts: 55. The newest first:');
    const links = [...(await page('/admin/accounts?page=2')).matchAll(/<a href="(\/admin\/accounts\/\d+)">([^<]*)/g)];
    const texts = ['Ada Low', '&lt;Low&gt;', 'ada', 'e@example.edu', `Account ${ids[0]}`];
    expect(links.map(([, href, text]) => [href, text])).toEqual(
      texts.map((text, index) => [`/admin/accounts/${ids[4 - index]}`, text]),
    );
  });

  test('The journal shows requests, the latest first, and what each one changed', async () => {
    await site.call('DELETE', '/_sandbox/journal');
    const { id } = await createEvent(site, { title: '<b>Old</b>', seats: 5 });
    await site.call('PUT', '/_sandbox/faults', { faults: [{ kind: 'error', status: 502, when: 'after', times: 1 }] });
    await site.call('PATCH', `${events}/${id}`, { title: 'New' });
    await site.call('GET', '/nowhere?<script>');
    await vi.waitFor(async () => expect(await page('/admin/journal')).toContain('Requests: 3.'));
    const rows = [
      ...(await page('/admin/journal')).matchAll(/<a class="long" href="(\/admin\/journal\/\d+)">([^<]*)<\/a>/g),
    ];
    expect(rows.map(([, , text]) => text)).toEqual([
      'GET /api/v1/nowhere?%3Cscript%3E',
      `PATCH /api/v1/calendar/events/${id}`,
      'POST /api/v1/calendar/events',
    ]);
    const filtered = await page(`/admin/journal?item=events/${id}&status=5xx`);
    expect(filtered).toContain('Requests: 1.');
    expect(filtered).toContain('error');
    const patch = await page(rows[1]?.[1] ?? '');
    expect(patch).toContain(': 502 after');
    expect(patch).toContain('<td>title</td><td><pre>&lt;b&gt;Old&lt;/b&gt;</pre></td><td><pre>New</pre></td>');
    expect(patch).not.toContain('<td>seats</td>');
    expect(patch).toContain('authorization: ***');
    expect(patch).not.toContain(site.token);
    expect((await fetch(`${site.url}/admin/journal/999999`, login())).status).toBe(404);
    expect((await fetch(`${site.url}/admin/journal?status=x`, login())).status).toBe(422);
  });
});

describe('Record view', () => {
  test.each([
    ['events', events, 'title'],
    ['accounts', accounts, 'lastName'],
  ])('The records of %s need the token as a Basic password', async (name, path, attribute) => {
    const { id } = name === 'events' ? await createEvent(api) : (await api.call('POST', path, { lastName: 'x' })).body;
    const address = `${api.url}/admin/${name}/${id}`;
    const refused = await fetch(address);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
    const wrong = await fetch(address, { headers: { authorization: `Basic ${btoa('any:wrong')}` } });
    expect(wrong.status).toBe(401);
    const shown = await fetch(address, { headers: { authorization: `Basic ${btoa(`any:${api.token}`)}` } });
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain(`<th>${attribute}</th>`);
  });
});

describe('Calendar feed (iCalendar)', () => {
  test('A timed event is read correctly by another program', async () => {
    const title = `Comma, semicolon; backslash \\ and ${'a long Ünicode 🎉 title '.repeat(8)}`.trim();
    const { icalUrl } = await createEvent(api, { title, description: '<p>One &amp; two</p><p>Three</p>' });
    const { response, text, event } = await calendar(icalUrl);
    expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(event.summary).toBe(title);
    expect(event.description).toBe('One & two\nThree');
    expect(event.start.toISOString()).toBe('2026-05-04T14:00:00.000Z');
    expect(event.end?.toISOString()).toBe('2026-05-04T15:30:00.000Z');
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    for (const line of text.split('\r\n')) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(line).not.toContain('\n');
    }
  });

  test('Days without a time are DATE values with an exclusive end', async () => {
    const days = { date: '2026-05-04', endDate: '2026-05-05' };
    for (const time of [{ type: 'tba' }, { start: '00:00:00', end: '23:59:59', type: 'timed' }]) {
      const { text } = await calendar((await createEvent(api, { ...days, time })).icalUrl);
      expect(text).toContain('DTSTART;VALUE=DATE:20260504\r\n');
      expect(text).toContain('DTEND;VALUE=DATE:20260506\r\n');
    }
  });

  test('Events past midnight and in the spring gap have correct times', async () => {
    const late = { time: { start: '22:00:00', end: '01:00:00', type: 'timed' } };
    const { event } = await calendar((await createEvent(api, late)).icalUrl);
    expect(event.end?.toISOString()).toBe('2026-05-05T05:00:00.000Z');
    const gap = { date: '2026-03-08', endDate: '2026-03-08', time: { start: '02:30:00', type: 'timed' } };
    const { event: moved } = await calendar((await createEvent(api, gap)).icalUrl);
    expect(moved.start.toISOString()).toBe('2026-03-08T07:30:00.000Z');
  });

  test('An event whose date was cleared has no date', async () => {
    const { id, icalUrl } = await createEvent(api);
    await api.call('PUT', `${events}/${id}`, { title: 'x' });
    expect((await fetch(api.url + icalUrl)).status).toBe(404);
  });
});
