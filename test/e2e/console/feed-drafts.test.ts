import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { serveConsole } from '../serve-console.ts';
import type { Site } from '../site.ts';
import { type DraftPerson, FEED, openDraftSite } from './draft-site.ts';

describe('Drafts of feeds in the console', () => {
  let opened: Awaited<ReturnType<typeof openDraftSite>>;
  let site: Site;
  let ann: DraftPerson;
  let cleo: DraftPerson;

  beforeAll(async () => {
    opened = await openDraftSite();
    site = opened.site;
    ann = opened.person('ann');
    cleo = opened.person('cleo');
  });

  afterAll(() => opened?.[Symbol.asyncDispose]());

  /** Plans a draft, which leads to its preview. */
  async function plan(person: DraftPerson, path: string) {
    const { status, location, text } = await person.post(`${path}/preview`, {});
    expect({ status, location }, text).toEqual({ status: 303, location: `${path}/preview#plan` });
    return person.get(`${path}/preview`);
  }

  test('A file becomes a draft, which is corrected line by line, and ends in files', async () => {
    const path = await ann.draft();
    expect((await ann.get(path)).text).toMatch(/<bdi>03\/04\/2027 18:00<\/bdi> → <strong><bdi>Sat 2027-04-03 18:00</);
    const { text: before } = await ann.get(`${path}/preview`);
    expect(before).toMatch(/1 would be rejected/);
    expect(before).toContain('Room A');
    expect((await ann.get(path)).text).toContain('&lt;b&gt;Room&lt;/b&gt; A');
    expect((await ann.post(path, { line: 'audience', how: 'fields', fields: 'mail' })).status).toBe(303);
    const corrected = await ann.post(path, [
      ['line', 'title'],
      ['how', 'fields'],
      ['fields', 'name'],
      ['fields', 'hall'],
      ['fields', ''],
    ]);
    expect(corrected).toMatchObject({ status: 303, location: `${path}#line-title` });
    await ann.post(path, { line: 'schedule', how: 'every', value: '1h' });
    await ann.post(path, { line: 'category', how: 'text', value: 'Talk' });
    await ann.post(path, { line: 'when', how: 'when', fields: 'hall', value: 'Room B, Room C' });
    await ann.post(path, { line: 'location', how: 'none' });
    const { text: file } = await ann.get(`${path}/sync.yaml`);
    expect(parse(file)).toMatchObject({
      map: {
        title: { template: expect.stringContaining('{{ hall }}') },
        audience: 'mail',
        category: { value: 'Talk' },
      },
      schedule: { every: '1h' },
      when: { field: 'hall', is: ['Room B', 'Room C'] },
      source: { url: '../feeds/talks.csv' },
    });
    expect(parse(file).map).not.toHaveProperty('location');
    expect((await ann.get(`${path}/tests.yaml`)).text).toContain('Ships');
    expect(readdirSync(join(site.dir, 'config', 'syncs')).filter((file) => file !== 'feeds')).toEqual(['talks.yaml']);
    // The name is that of the files.
    expect(await ann.post(`${path}/save`, { name: '../x' })).toMatchObject({ status: 422 });
    expect(await ann.post(`${path}/save`, { name: 'city-talks' })).toMatchObject({ location: `${path}/save` });
    expect((await ann.get(`${path}/save`)).text).toMatch(/value="city-talks"[\s\S]*config\/syncs\/city-talks\.yaml/);
    await ann.post(path, { line: 'title', how: 'take-back' });
    expect(parse((await ann.get(`${path}/sync.yaml`)).text).map).toMatchObject({ title: 'name' });
  });

  test('What each event needs is a line although no field is known for it, and a setting is named in words', async () => {
    const path = await ann.draft(
      'Termin;Beginn;Thema\n"Di, 2. März";19:00;Imkern\n"Do, 18. März";19:30;Pilze\n',
      'a.csv',
    );
    expect((await ann.get(path)).text).toMatch(
      /have no year[^`]*<a href="#settings">Year of dates without one<\/a>: 2027, or the first of their twelve months, 2026-09[\s\S]*id="line-start">start[\s\S]*nothing yet[\s\S]*<details class="change" open>/,
    );
    const settings: Array<Record<string, string>> = [
      { line: 'year', how: 'setting', value: '2027' },
      { line: 'start', how: 'fields', fields: 'Termin' },
      { line: 'title', how: 'fields', fields: 'Thema' },
    ];
    for (const form of settings) expect(await ann.post(path, form)).toMatchObject({ status: 303 });
    expect((await ann.get(path)).text).toMatch(/<strong><bdi>Tue 2027-03-02<(?![\s\S]*nothing yet)/);
  });

  test('A question is asked until it is answered, and its answer decides the days', async () => {
    const path = await ann.draft('id,name,when\n1,Maps,03/04/2027\n2,Ships,05/06/2027\n');
    expect((await ann.get(path)).text).toMatch(
      /is the day\?[\s\S]*id="line-start">start<\/span> <a href="#questions">asked about<\/a>/,
    );
    await ann.post(path, { line: 'order of dates', how: 'answer', value: 'day first' });
    const { text } = await ann.get(path);
    expect(text).not.toContain('is the day?');
    expect((await ann.get(`${path}/preview`)).text).toContain('2027-04-03');
  });

  test('An attribute that no item of the site has is marked, unless the config says that the site has it', async () => {
    await site.request('POST', 'api/v1/calendar/events', {
      title: 'Walk',
      date: '2027-01-01',
      endDate: '2027-01-01',
      time: { start: '10:00:00', end: '11:00:00', type: 'start_end' },
      hue: 'red',
    });
    const path = await ann.draft();
    await ann.post(path, { line: 'shade', how: 'fields', fields: 'hall' });
    await ann.post(path, { line: 'hue', how: 'fields', fields: 'hall' });
    await ann.post(path, { line: 'theme', how: 'fields', fields: 'hall' });
    const { text } = await ann.get(path);
    const marked = [...text.matchAll(/id="line-(\w+)">\w+<\/span> <span class="badge warning">/g)].map(
      ([, name]) => name,
    );
    expect(marked).toEqual(['shade']);
    expect(text).toMatch(
      /<optgroup label="On items of this site"><option value="hue">hue<\/option><option value="theme">/,
    );
  });

  test('Each choice that the page offers for a setting is possible, and is shown as the chosen one', async () => {
    const path = await ann.draft();
    const { text } = await ann.get(path);
    const forms = [...text.matchAll(/<form[^>]*>(?:(?!<\/form>)[\s\S])*?<select id="value-[\s\S]*?<\/form>/g)].map(
      ([form]) => form,
    );
    const line = (form: string) => /name="line" value="([^"]*)"/.exec(form)?.[1] ?? '';
    expect(forms.map(line)).toEqual(['resource', 'source.connector', 'schedule', 'missing']);
    for (const form of forms.filter((one) => !/connector|resource/.test(line(one)))) {
      const how = /name="how" value="([^"]*)"/.exec(form)?.[1] ?? '';
      for (const [, value = ''] of form.matchAll(/<option value="([^"]*)"/g)) {
        expect(await ann.post(path, { line: line(form), how, value })).toMatchObject({ status: 303 });
        expect((await ann.get(path)).text).toContain(`<option value="${value}" selected>`);
      }
    }
    await ann.post(path, { line: 'when', how: 'when', fields: 'hall', test: 'not', value: 'Room B' });
    expect((await ann.get(`${path}/preview`)).text).toContain('1 would be skipped');
  });

  test('The year of dates without one can be given', async () => {
    const path = await ann.draft('id,name,when\n1,Maps,14 March\n2,Ships,15 April\n');
    expect((await ann.get(path)).text).toContain('have no year');
    expect((await ann.post(path, { line: 'year', how: 'setting', value: '2027' })).status).toBe(303);
    expect((await ann.get(`${path}/preview`)).text).toMatch(/All 2 records can be published[\s\S]*2027-03-14/);
  });

  test('The plan says what a first run would create, and leaves no trace', async () => {
    const path = await ann.draft();
    const before = await site.items('calendar/events');
    const { text } = await plan(ann, path);
    expect(text).toMatch(/Would be created<\/dt><dd>2 items/);
    expect(await site.items('calendar/events')).toEqual(before);
    expect((await ann.get('/')).text).not.toContain('talks-2');
  });

  test('The plan of a feed knows the events that another sync has published, as its first run will', async () => {
    await site.sync();
    const path = await ann.draft('id,name,when\nM1,Maps,2027-03-01 18:00\nM2,Owls,2027-03-09 18:00\n');
    const { text } = await plan(ann, path);
    expect(text).toContain('it looks like the record &quot;T1&quot; of the sync &quot;talks&quot;');
    expect(text).toMatch(/Would be created<\/dt><dd>1 item</);
    const runs = await opened.app.ledger.runs.newest({ limit: 99 });
    expect(new Set(runs.map((run) => run.sync))).toEqual(new Set(['talks']));
  });

  test.each<[string, Record<string, string>, string]>([
    ['a field that the feed does not have', { line: 'title', how: 'fields', fields: 'nmae' }, 'no field'],
    ['an address', { line: 'source.url', how: 'setting', value: 'https://evil.example' }, 'source.url'],
    ['headers', { line: 'source.headers', how: 'setting', value: '{ a: b }' }, 'source.headers'],
    ['a header', { line: 'source.headers.X', how: 'setting', value: 'b' }, 'source.headers'],
    ['a password', { line: 'source.auth', how: 'setting', value: 'x' }, 'source.auth'],
    ['private networks', { line: 'source.allowPrivateNetwork', how: 'setting', value: 'true' }, 'allowPrivateNetwork'],
    ['a format that is none', { line: 'start', how: 'format', value: 'QQQ' }, 'QQQ'],
    ['an attribute that cannot be', { line: 'a b\nc', how: 'text', value: '1' }, 'cannot be'],
    ['a prototype', { line: '__proto__.x', how: 'text', value: '1' }, ''],
    ['a read-only attribute', { line: 'isPastEvent', how: 'fields', fields: 'name' }, 'isPastEvent'],
    ['another connector that cannot read it', { line: 'source.connector', how: 'setting', value: 'xlsx' }, 'connector'],
    ['an option of the wrong type', { line: 'source.delimiter', how: 'setting', value: '{ a: 1 }' }, 'delimiter'],
    ['an unknown option', { line: 'source.evil', how: 'setting', value: '1' }, 'source.evil'],
    ['a number', { line: 'title', how: 'setting', value: '5' }, 'neither a field nor a rule'],
    ['a rule', { line: 'title', how: 'setting', value: '{ field: name, lookup: /etc/passwd }' }, 'no field'],
    ['a schedule that is none', { line: 'schedule', how: 'every', value: 'never' }, 'never'],
    ['a policy that is none', { line: 'missing', how: 'policy', value: 'burn' }, 'policy'],
    ['a condition without a field', { line: 'when', how: 'when', value: 'x' }, 'when'],
    ['a line that is no condition', { line: 'lookup', how: 'when', fields: 'name', value: 'x' }, ''],
    ['a very long text', { line: 'title', how: 'text', value: 'x'.repeat(5000) }, ''],
    ['an unknown form', { line: 'title', how: 'delete' }, ''],
    ['no line', { how: 'none' }, ''],
    ['a file as an attachment', { line: 'attachmentsDir', how: 'setting', value: '/etc' }, 'attachmentsDir'],
  ])('%s is refused, and the draft stays as it is', async (_, form, message) => {
    const path = await ann.draft();
    const before = (await ann.get(`${path}/sync.yaml`)).text;
    const { status, text } = await ann.post(path, form);
    expect([400, 422], text).toContain(status);
    expect(text).toContain(message);
    expect((await ann.get(`${path}/sync.yaml`)).text).toBe(before);
  });

  test.each([
    ['a variable', '${CMS_API_TOKEN}'],
    ['a template', "{{ name }}{% include '/etc/passwd' %}"],
    ['YAML', 'x\nsource: { url: /etc/passwd }'],
    ['HTML', '<script>alert(1)</script>'],
  ])('%s in a value stays a text', async (_, value) => {
    const path = await ann.draft();
    expect((await ann.post(path, { line: 'category', how: 'text', value })).status).toBe(303);
    const { text } = await ann.get(path);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain(site.variables.CMS_API_TOKEN ?? '-');
    const file = parse((await ann.get(`${path}/sync.yaml`)).text);
    expect(file.map.category.value.replaceAll('$${', '${')).toBe(value);
    expect(Object.keys(file.source).sort()).toEqual(['connector', 'url']);
  });

  test.each([
    'file:///etc/passwd',
    '/etc/passwd',
    '../config/feedferry.yaml',
    '-',
    'ftp://example.org/a.csv',
    'javascript:alert(1)',
    'http://127.0.0.1/a.csv',
    'http://localhost/a.csv',
    'http://[::1]/a.csv',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/a.csv',
    'http://0x7f.1/a.csv',
    'https://ann:secret-of-ann@example.org/a.csv',
  ])('The address %s is not opened', async (address) => {
    const { status, text } = await ann.post('/feeds/new', { address });
    expect(status, text).toBe(422);
    expect(text).toMatch(/FF_USAGE|FF_FEED_ADDRESS/);
    expect(text).not.toContain('secret-of-ann');
  });

  test('A file that is too large, a feed of nothing and a form without its token are refused', async () => {
    expect((await ann.upload('a.csv', 'x'.repeat(5_100_000))).status).toBe(413);
    expect((await ann.upload('a.csv', '')).status).toBe(422);
    // What is wrong with a file is said of its name, not of where this server keeps it.
    for (const [name, content] of [
      ['a.csv', 'just words'],
      ['b.json', '{ "a": 1 }'],
      ['c.json', '{ "a": '],
    ] as const) {
      const refused = await ann.upload(name, content);
      expect(refused).toMatchObject({ status: 422, text: expect.stringMatching(new RegExp(`<strong>${name}`)) });
    }
    expect((await ann.upload('a.csv', FEED, 'wrong')).status).toBe(403);
    const draft = await ann.draft(FEED, '../../../etc/cron.d/evil.csv');
    expect((await ann.get(`${draft}/save`)).text).toContain('config/feeds/evil.csv');
  });

  test('Only people with the permission make drafts, whatever their role, and each sees only their own', async () => {
    const ben = opened.person('ben');
    expect((await ben.get('/feeds/new')).status).toBe(403);
    expect((await ben.upload('a.csv', FEED, 'x')).status).toBe(403);
    expect((await ben.get('/')).text).not.toContain('Add a feed');
    expect((await ann.get('/')).text).toContain('Add a feed');
    const path = await ann.draft();
    expect((await cleo.get(path)).status).toBe(404);
    expect((await cleo.post(path, { line: 'title', how: 'none' })).status).toBe(404);
    expect((await ann.post(`${path}/discard`, {})).status).toBe(303);
    expect((await ann.get(path)).status).toBe(404);
  });

  test('People who may not see e-mail addresses see masked ones, and get no tests', async () => {
    const path = await cleo.draft();
    const texts = await Promise.all(
      [path, `${path}/preview`, `${path}/save`].map(async (at) => (await cleo.get(at)).text),
    );
    expect(texts.join()).toContain('a***@example.org');
    expect(texts.join()).not.toContain('ann@example.org');
    const planned = await plan(cleo, path);
    expect(planned.text).not.toContain('ann@example.org');
    expect((await cleo.get(`${path}/tests.yaml`)).status).toBe(404);
  });

  test('Without HTTP_EDIT there is no such page', async () => {
    const other = await serveConsole(site);
    const response = await fetch(`${other}/feeds/new`, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(readFileSync(join(site.dir, 'config', 'feedferry.yaml'), 'utf8')).toBeDefined();
  });
});
