import { describe, expect, test } from 'vitest';
import { type Body, createEvent, eventBody, events, withSandbox } from './harness.ts';

const api = withSandbox({ timezone: 'America/New_York', now: () => Date.parse('2026-05-05T02:00:00Z') });
const strictPut = withSandbox({ switches: { putStrictness: 'requires' } });
const switched = withSandbox({ switches: { patchTime: 'replace', cleared: 'omit', numbersAsStrings: true } });

describe('Create', () => {
  test('A create returns 201 with the full event, as a retrieval does', async () => {
    const { status, body } = await api.call('POST', events, eventBody);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      ...eventBody,
      description: '',
      isFeatured: false,
      isMultiDay: false,
      spansMultipleDays: false,
      showOnAllDates: false,
      repeats: false,
      time: {
        ...eventBody.time,
        isAllDay: false,
        isStartEnd: true,
        isStartOnly: false,
        isTba: false,
        isNoTime: false,
      },
      isPastEvent: true,
      isToday: true,
      url: `/events/${body.id}`,
      icalUrl: `/events/${body.id}.ics`,
      editUrl: `/admin/events/${body.id}`,
    });
    expect((await api.call('GET', `${events}/${body.id}`)).body).toEqual(body);
  });

  test('A create keeps every sent attribute, including custom ones of any JSON', async () => {
    const sent = {
      ...eventBody,
      description: '<p>Hello</p>',
      endDate: '2026-05-06',
      isFeatured: true,
      isMultiDay: true,
      spansMultipleDays: true,
      showOnAllDates: true,
      repeats: true,
      source_key: 'campus:42',
      tags: ['a', { b: [1, 2.5, true] }],
      rating: 4,
    };
    const { time, ...attributes } = sent;
    expect(await createEvent(api, sent)).toMatchObject({ ...attributes, time });
  });

  test.each(['title', 'date', 'endDate', 'time'])('A create without %s is a 422 that names it', async (key) => {
    for (const nothing of [undefined, null, key === 'time' ? {} : '']) {
      const { status, body } = await api.call('POST', events, { ...eventBody, [key]: nothing });
      expect(status).toBe(422);
      expect(body.errors[0].detail).toMatch(new RegExp(`^${key}:`));
    }
  });

  test('A 422 names all missing attributes', async () => {
    const { body } = await api.call('POST', events, {});
    expect(body.errors).toHaveLength(4);
  });

  test.each([
    ['title', 5],
    ['title', ['x']],
    ['description', {}],
    ['isFeatured', 'true'],
    ['isMultiDay', 1],
    ['repeats', 'no'],
    ['spansMultipleDays', []],
    ['showOnAllDates', 0],
    ['date', '2026-02-30'],
    ['date', '4 May'],
    ['date', 20260504],
    ['endDate', '2026-5-4'],
    ['endDate', '2026-05-03'],
    ['time', '10:00:00'],
    ['time', []],
    ['time.start', { start: '10:00' }],
    ['time.end', { end: '25:00:00' }],
    ['time.type', { type: 1 }],
  ])('The value %s = %j is a 422 that names it, on create and on PATCH', async (name, value) => {
    const { id } = await createEvent(api);
    const attribute = name.split('.')[0] ?? name;
    for (const answer of [
      await api.call('POST', events, { ...eventBody, [attribute]: value }),
      await api.call('PATCH', `${events}/${id}`, { [attribute]: value }),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body.errors[0]).toMatchObject({ code: 422, title: 'Unprocessable Entity' });
      expect(answer.body.errors[0].detail.startsWith(`${name}:`)).toBe(true);
    }
  });

  test('Derived attributes in a request are ignored', async () => {
    const body = await createEvent(api, {
      id: 999_999,
      url: 'x',
      isToday: false,
      time: { ...eventBody.time, isTba: true },
    });
    expect(body.id).not.toBe(999_999);
    expect(body).toMatchObject({ url: `/events/${body.id}`, isToday: true, time: { isTba: false } });
  });
});

describe('Derived flags', () => {
  test.each([
    ['isStartEnd', { start: '10:00:00', end: '11:00:00', type: 'timed' }],
    ['isStartOnly', { start: '10:00:00', type: 'timed' }],
    ['isAllDay', { type: 'allDay' }],
    ['isAllDay', { start: '00:00:00', end: '23:59:59', type: 'timed' }],
    ['isTba', { type: 'tba' }],
    ['isNoTime', { type: 'noTime' }],
  ])('The only flag is %s for %j', async (flag, time) => {
    const { time: answered } = await createEvent(api, { time });
    expect(Object.keys(answered).filter((key) => answered[key] === true)).toEqual([flag]);
  });

  // It is 22:00 on 4 May on the site.
  test.each([
    ['2026-05-04', '2026-05-04', '22:30:00', { isPastEvent: false, isToday: true }],
    ['2026-05-04', '2026-05-04', '21:30:00', { isPastEvent: true, isToday: true }],
    ['2026-05-03', '2026-05-05', '21:30:00', { isPastEvent: false, isToday: true }],
    ['2026-05-05', '2026-05-05', '23:00:00', { isPastEvent: false, isToday: false }],
    ['2026-05-03', '2026-05-03', '23:00:00', { isPastEvent: true, isToday: false }],
  ])('An event from %s to %s, %s', async (date, endDate, end, expected) => {
    const body = await createEvent(api, { date, endDate, time: { start: '20:00:00', end, type: 'timed' } });
    expect(body).toMatchObject(expected);
  });
});

describe('PUT, PATCH, DELETE', () => {
  test('PATCH changes the sent attributes and no others', async () => {
    const before = await createEvent(api, { description: 'Old', source_key: 'k', isFeatured: true });
    const { status, body } = await api.call('PATCH', `${events}/${before.id}`, {
      title: 'New',
      time: { end: '12:00:00' },
    });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, title: 'New', time: { ...before.time, end: '12:00:00' } });
    expect((await api.call('GET', `${events}/${before.id}`)).body).toEqual(body);
  });

  test('PATCH takes false, 0 and an empty text for values', async () => {
    const { id } = await createEvent(api, { description: 'Old', isFeatured: true, seats: 5, is_free: true });
    const sent = { isFeatured: false, seats: 0, is_free: false, description: '' };
    expect((await api.call('PATCH', `${events}/${id}`, sent)).body).toMatchObject(sent);
  });

  test('PATCH with null clears an attribute, and removes a custom one', async () => {
    const { id } = await createEvent(api, { description: 'Old', source_key: 'k' });
    const { body } = await api.call('PATCH', `${events}/${id}`, { description: null, source_key: null });
    expect(body.description).toBe('');
    expect(body).not.toHaveProperty('source_key');
  });

  test('PUT clears the attributes that are not sent', async () => {
    const { id } = await createEvent(api, { description: 'Old', source_key: 'k', isFeatured: true });
    const { status, body } = await api.call('PUT', `${events}/${id}`, { title: 'Only' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, title: 'Only', description: '', date: '', endDate: '', isFeatured: false });
    expect(body.time).toMatchObject({ start: '', end: '', type: '', isNoTime: true });
    expect(body).not.toHaveProperty('source_key');
    expect((await api.call('GET', `${events}/${id}`)).body).toEqual(body);
  });

  test('A switch lets PUT require what a create does', async () => {
    const { id } = await createEvent(strictPut);
    const { status, body } = await strictPut.call('PUT', `${events}/${id}`, { title: 'Only', time: {} });
    expect([status, body.errors.map(({ detail }: Body) => detail)]).toEqual([
      422,
      ['date: is required', 'endDate: is required', 'time: is required'],
    ]);
    expect((await strictPut.call('PUT', `${events}/${id}`, eventBody)).status).toBe(200);
  });

  test('A refused change leaves the event unchanged', async () => {
    const before = await createEvent(api);
    await api.call('PATCH', `${events}/${before.id}`, { title: 'New', isFeatured: 'yes' });
    await api.call('PATCH', `${events}/${before.id}`, { endDate: '2000-01-01' });
    expect((await api.call('GET', `${events}/${before.id}`)).body).toEqual(before);
  });

  test('DELETE returns 204 without a body, removes the event, and never reuses its id', async () => {
    const { id } = await createEvent(api);
    const { status, text } = await api.call('DELETE', `${events}/${id}`);
    expect([status, text]).toEqual([204, '']);
    expect((await api.call('DELETE', `${events}/${id}`)).status).toBe(404);
    expect((await api.call('GET', `${events}/${id}`)).status).toBe(404);
    expect((await createEvent(api)).id).toBeGreaterThan(id);
  });
});

describe('Events of instances', () => {
  test('An event is only in its own instance', async () => {
    const { id } = await createEvent(api, {}, '?instance=arts');
    expect((await api.call('GET', `${events}/${id}?instance=arts`)).status).toBe(200);
    for (const other of ['', '?instance=sports']) {
      expect((await api.call('GET', `${events}/${id}${other}`)).status).toBe(404);
      expect((await api.call('PATCH', `${events}/${id}${other}`, { title: 'x' })).status).toBe(404);
      expect((await api.call('DELETE', `${events}/${id}${other}`)).status).toBe(404);
    }
    expect((await api.call('GET', `${events}?instance=arts`)).body.totalItems).toBe(1);
    expect((await api.call('GET', `${events}?instance=sports`)).body.totalItems).toBe(0);
  });

  const named = withSandbox({ switches: { instances: ['arts', 'sports'] } });
  test('A request must name a valid instance if the sandbox has named ones', async () => {
    expect((await named.call('GET', events)).status).toBe(400);
    expect((await named.call('GET', `${events}?instance=music`)).status).toBe(404);
    expect((await named.call('POST', `${events}?instance=arts`, eventBody)).status).toBe(201);
  });
});

test('The switches replace the time, omit cleared attributes, and make ids strings', async () => {
  const { body } = await switched.call('POST', events, eventBody);
  expect(body.id).toBe('1');
  expect(body).not.toHaveProperty('description');
  const patched = await switched.call('PATCH', `${events}/1`, { time: { start: '09:00:00' } });
  expect(patched.body.time).toMatchObject({ start: '09:00:00', isStartOnly: true });
  expect(patched.body.time).not.toHaveProperty('end');
  const list = (await switched.call('GET', events)).body;
  expect(list).toMatchObject({ totalItems: '1', pagination: { total: '1', currentPage: '1' } });
});
