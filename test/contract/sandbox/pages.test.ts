import { describe, expect, test } from 'vitest';
import { accounts, createEvent, events, onePixelPng, withSandbox } from './harness.ts';

const api = withSandbox({ timezone: 'America/New_York' });

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
      const markup = html.replaceAll(/ value="[^"]*"/g, '');
      expect(markup).not.toMatch(/<script|<svg|<[^>]*\son\w+=|(src|href)="javascript/i);
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
  const startPage = async () => (await fetch(site.url)).text();

  test('An empty sandbox says so', async () => {
    const html = await startPage();
    expect(html).toContain('No events yet.');
    expect(html).toContain('No accounts yet.');
  });

  test('The events of all instances are linked, the newest first, and accounts are only counted', async () => {
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
    expect(links).toHaveLength(52);
    expect(links[0]).toEqual({ href: created.at(-1).url, text: 'Talk 52 &lt;b&gt;' });
    expect(links.at(-1)).toEqual({ href: created.at(0).url, text: 'Talk 1 &lt;b&gt;' });
  });
});

describe('Pages for people', () => {
  const site = withSandbox();
  const login = () => ({ headers: { authorization: `Basic ${btoa(`any:${site.token}`)}` } });
  const page = async (path: string) => (await fetch(site.url + path, login())).text();

  test('The accounts need the token', async () => {
    expect((await fetch(`${site.url}/admin/accounts`)).status).toBe(401);
  });

  test('All accounts are linked by the name that they have', async () => {
    const names = [{}, { email: 'e@example.edu' }, { username: 'ada' }, { lastName: '<Low>', username: 'x' }];
    const ids: number[] = [];
    for (const name of [...names, { displayName: 'Ada Low', firstName: 'x' }])
      ids.push((await site.call('POST', accounts, name)).body.id);
    const shown = await page('/admin/accounts');
    expect(shown).toContain('Accounts: 5. The newest first:');
    const links = [...shown.matchAll(/<a href="(\/admin\/accounts\/\d+)">([^<]*)/g)];
    const texts = ['Ada Low', '&lt;Low&gt;', 'ada', 'e@example.edu', `Account ${ids[0]}`];
    expect(links.map(([, href, text]) => [href, text])).toEqual(
      texts.map((text, index) => [`/admin/accounts/${ids[4 - index]}`, text]),
    );
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
    expect(await shown.text()).toContain(`<label for="${attribute}">`);
  });
});

describe('The form of an item', () => {
  const site = withSandbox({ switches: { uniqueAccounts: ['email'] } });
  const login = () => ({ authorization: `Basic ${btoa(`any:${site.token}`)}` });
  const load = async (path: string) => (await fetch(site.url + path, { headers: login() })).text();
  const read = async (path: string) => (await site.call('GET', path)).body;

  /** Fields of the first form of a page, with what a browser would send unchanged. */
  async function fieldsOf(path: string): Promise<Record<string, string>> {
    const form = (await load(path)).split('</form>')[0] ?? '';
    const fields = form.matchAll(
      /<(?:input[^>]*|textarea[^>]*) name="([^"]*)"(?:[^>]* value="([^"]*)")?[^>]*>\n?([^<]*)/g,
    );
    return Object.fromEntries([...fields].map(([, name = '', value, text = '']) => [name, value ?? text]));
  }

  async function send(path: string, fields: Record<string, string>, headers: Record<string, string> = login()) {
    const body = new URLSearchParams(fields);
    const response = await fetch(site.url + path, { method: 'POST', body, headers, redirect: 'manual' });
    return { status: response.status, to: response.headers.get('location'), text: await response.text() };
  }

  test('renames and moves an event, and leaves what was not changed', async () => {
    const event = await createEvent(site, {
      ...{ title: 'Talk', description: '<p>One</p>\n<p>Two</p>', location: 'Hall', price: 5, free: true },
      ...{ image: { src: '/else.png' }, isFeatured: true },
    });
    const path = `/admin/events/${event.id}`;
    const fields = await fieldsOf(path);
    expect(fields).toMatchObject({ title: 'Talk', date: '2026-05-04', 'time.start': '10:00:00', location: 'Hall' });
    const changes = { title: 'A & B', date: '2026-05-05', endDate: '2026-05-05', 'time.start': '12:00:00', price: '7' };
    expect(await send(path, { ...fields, description: event.description, ...changes })).toMatchObject({
      status: 303,
      to: path,
    });
    const time = { ...event.time, start: '12:00:00' };
    const after = { ...event, ...changes, price: 7, time };
    const { 'time.start': _, ...expected } = after as Record<string, unknown>;
    expect(await read(`${events}/${event.id}`)).toEqual({ ...expected, isPastEvent: event.isPastEvent });
    expect(await (await fetch(`${site.url}/`)).text()).toMatch(
      /A &amp; B<\/a>, 2026-05-05 12:00:00.*location: Hall · price: 7/,
    );
  });

  test('empties an attribute, and deletes', async () => {
    const { id } = await createEvent(site, { title: 'Original', location: 'Hall' }, '?instance=arts');
    const path = `/admin/events/${id}`;
    const fields = await fieldsOf(path);
    await send(path, { ...fields, location: '' });
    expect((await read(`${events}/${id}?instance=arts`)).location).toBeUndefined();
    expect(await send(`${path}/delete`, fields)).toMatchObject({ status: 303, to: '/' });
    expect((await site.call('GET', `${events}/${id}?instance=arts`)).status).toBe(404);
  });

  test('of an account works alike', async () => {
    const { id } = (await site.call('POST', accounts, { email: 'a@example.edu', lastName: 'Low' })).body;
    const path = `/admin/accounts/${id}`;
    await send(path, { ...(await fieldsOf(path)), lastName: 'High' });
    expect(await read(`${accounts}/${id}`)).toMatchObject({ email: 'a@example.edu', lastName: 'High' });
    const other = (await site.call('POST', accounts, { email: 'b@example.edu' })).body;
    const taken = { ...(await fieldsOf(`/admin/accounts/${other.id}`)), email: 'a@example.edu' };
    const refused = await send(`/admin/accounts/${other.id}`, taken);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('another account has it')]);
    expect(await send(`${path}/delete`, await fieldsOf(path))).toMatchObject({ to: '/admin/accounts' });
  });

  test('says why a value is refused, and keeps what was typed', async () => {
    const { id } = await createEvent(site);
    const path = `/admin/events/${id}`;
    const { status, text } = await send(path, { ...(await fieldsOf(path)), title: 'Typed', date: '4 May' });
    expect(status).toBe(422);
    expect(text).toContain('Not saved: date: must be a date YYYY-MM-DD');
    expect(text).toContain('value="Typed"');
    expect((await read(`${events}/${id}`)).title).toBe('Open day');
  });

  test.each(['', '/delete'])(
    'cannot be sent by another site, although the browser adds the password: %s',
    async (part) => {
      const { id } = await createEvent(site);
      const path = `/admin/events/${id}`;
      const { _token, ...fields } = await fieldsOf(path);
      expect((await send(path + part, { ...fields, title: 'Forged' })).status).toBe(403);
      expect((await send(path + part, { ...fields, _token: 'guessed' })).status).toBe(403);
      expect((await send(path + part, { ...fields, _token: _token ?? '' }, {})).status).toBe(401);
      expect((await read(`${events}/${id}`)).title).toBe('Open day');
      const answer = await fetch(site.url + path, { headers: login() });
      expect(answer.headers.get('content-security-policy')).toMatch(/form-action 'self'.*frame-ancestors 'none'/);
    },
  );
});

describe('Custom attributes', () => {
  const site = withSandbox({ switches: { attributes: ['source_key', 'location'] } });

  test('are taken if the site has them, and ignored otherwise', async () => {
    const { id } = await createEvent(site, { source_key: 'a:1', locaton: 'Hall' });
    const shown = async () => (await site.call('GET', `${events}/${id}`)).body;
    expect(await shown()).toMatchObject({ source_key: 'a:1' });
    expect(await shown()).not.toHaveProperty('locaton');
    await site.call('PATCH', `${events}/${id}`, { location: 'Hall', locaton: 'Hall', isFeatured: true });
    expect(await shown()).toMatchObject({ location: 'Hall', isFeatured: true });
    expect(await shown()).not.toHaveProperty('locaton');
  });
});
