import { describe, expect, test } from 'vitest';
import type { SyncConfig } from '../../../../src/config/types.ts';
import type { Payload, Resource } from '../../../../src/core/record.ts';
import { exceededLimits } from '../../../../src/sync/measure/judge-changes.ts';
import { createTally } from '../../../../src/sync/measure/measure-changes.ts';

const now = '2026-12-01T12:00:00';

type Record = Payload & { series?: string };
type More = (index: number) => { [attribute: string]: Payload[string] | undefined };
type Story = [
  name: string,
  before: Record[],
  change: (record: Record, index: number) => Payload,
  changes?: SyncConfig['changes'],
];

/** Events on different days of 2027, at 18:00. */
function events(count: number, more: More = () => ({})): Record[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ title: `Talk ${index}`, date: `2027-0${(index % 9) + 1}-${20 + (index % 8)}` },
    ...{ time: { start: '18:00:00', end: '19:00:00' }, location: `Room ${index}`, ...(more(index) as Payload) },
  }));
}

const people = (count: number): Record[] =>
  Array.from({ length: count }, (_, id) => ({ email: `p${id}@x.example`, username: `p${id}`, company: `Firm ${id}` }));

const first =
  (count: number, change: (record: Record, index: number) => Payload) =>
  (record: Record, index: number): Payload =>
    index < count ? change(record, index) : {};

const at = (start: string) => () => ({ time: { start, end: '20:00:00' } });
const onDay = ({ date }: Record, days: number) => ({
  date: new Date(Date.parse(String(date)) + days * 86_400_000).toISOString().slice(0, 10),
});
const short = (month: number, day: number) => `2027-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** Returns the messages for the limits that a feed exceeds. */
function judge(resource: Resource, before: Record[], change: Story[2], changes?: SyncConfig['changes']): string[] {
  const tally = createTally({ resource, ignored: new Set(), mayMove: false, now });
  for (const [index, { series, ...content }] of before.entries()) {
    const after = { ...content, ...change(content, index) };
    const changed = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(content[name]));
    const key = `k${index}`;
    if (changed.length === 0) tally.addOther(content);
    else tally.add({ key, formerKey: key, changed, before: content, after, files: [], ...(series && { series }) });
  }
  const sync = { name: 's', resource, ...(changes && { changes }) };
  return exceededLimits(tally.measures(before.length), sync).map(({ reason }) => reason);
}

describe('A uniform change of few records is held', () => {
  test.each<[...Story, RegExp]>([
    [
      'all are an hour earlier',
      events(6),
      at('17:00:00'),
      undefined,
      /^6 of the 6 upcoming events with a time .* −1 hour, as by a mistake with a time zone.*: time "18:00 – 19:00" → "17:00 – 20:00"/,
    ],
    ['three of three move', events(3), at('19:30:00'), undefined, /^3 of the 3 .* \+90 minutes/],
    [
      'all but those of whole days move',
      events(8, (index) => (index < 4 ? { time: { start: '00:00:00', end: '23:59:59' } } : {})),
      (_, index) => (index < 4 ? {} : at('19:00:00')()),
      undefined,
      /^4 of the 4 upcoming events with a time/,
    ],
    ['nine of ten move', events(10), first(9, at('19:00:00')), undefined, /^9 of the 10/],
    [
      'a zone is lost: winter moves by one hour, summer by two',
      events(6),
      (_, index) => at(index < 3 ? '19:00:00' : '20:00:00')(),
      undefined,
      /^6 of the 6 .*: \+1 hour or \+2 hours, as by a mistake with a time zone/,
    ],
    [
      'all are a year later',
      events(4),
      ({ date }) => ({ date: String(date).replace('2027', '2028') }),
      undefined,
      /\+1 year\. For example/,
    ],
    [
      'exhibitions are a year later',
      events(3, (index) => ({ date: '2027-02-01', endDate: `2027-0${index + 3}-15` })),
      ({ endDate }) => ({ date: '2028-02-01', endDate: String(endDate).replace('2027', '2028') }),
      undefined,
      /\+1 year\./,
    ],
    ['all are a day earlier', events(4), (record) => onDay(record, -1), undefined, /: −1 day\./],
    [
      'two series and an event move',
      events(7, (index) => (index < 6 ? { series: `s${index % 2}` } : {})),
      at('19:00:00'),
      undefined,
      /^7 of the 7/,
    ],
    [
      'day and month are exchanged where they can be',
      events(8, (index) => ({ date: index < 4 ? short(index + 1, index + 5) : short(index, index) })).map(
        (record, index) => (index > 5 ? { ...record, date: short(index, 25) } : record),
      ),
      (_, index) => (index < 4 ? { date: short(index + 5, index + 1) } : {}),
      undefined,
      /^Day and month are exchanged in 4 of the 4 .* whose day could be a month/,
    ],
    [
      'all are busy',
      events(8),
      () => ({ title: 'Busy' }),
      undefined,
      /^8 of the 8 published records of "s" that have "title" have the same one now .*"Talk 0" → "Busy"/,
    ],
    ['all are cancelled by name', events(3), () => ({ title: 'Cancelled' }), undefined, /^3 of the 3/],
    [
      'all are at one place',
      events(5),
      first(4, () => ({ location: 'Online' })),
      undefined,
      /^4 of the 5 .*"location"/,
    ],
    ['all are on one day', events(5), () => ({ date: '2028-01-01' }), undefined, /^5 of the 5 .*"date"/],
    [
      'all have one picture',
      events(4, (id) => ({ image: `sha256:${id}` })),
      () => ({ image: 'sha256:none' }),
      undefined,
      /"image"/,
    ],
    [
      'all titles begin with one text',
      events(4),
      ({ title }) => ({ title: `Copy of ${title}` }),
      undefined,
      /a text was added to "title"/,
    ],
    [
      'most pictures are gone',
      events(7, (id) => (id < 4 ? { image: `sha256:${id}` } : {})),
      first(3, () => ({ image: null })),
      undefined,
      /^"image" is emptied in 3 of the 4/,
    ],
    [
      'most of few places are gone',
      events(5),
      first(3, () => ({ location: '' })),
      undefined,
      /^"location" is emptied in 3 of the 5/,
    ],
    [
      'a limit of shares is higher',
      events(5),
      at('17:00:00'),
      { core: { percent: 90 } },
      /more than the limit of 90 %/,
    ],
  ])('%s', (_, before, change, changes, message) => {
    expect(judge('events', before, change, changes)).toEqual([expect.stringMatching(message)]);
  });

  test.each<[...Story, RegExp]>([
    [
      'most addresses are gone',
      people(5),
      first(3, () => ({ email: '' })),
      undefined,
      /^"email" is emptied in 3 of the 5 .*"k0": email\.$/,
    ],
    [
      'all addresses are made invalid',
      people(4),
      ({ email }) => ({ email: `${email}.invalid` }),
      undefined,
      /added to "email".*"k0": email\.$/,
    ],
    ['all are at one company', people(3), () => ({ company: 'X' }), undefined, /^3 of the 3 .*"company"/],
  ])('of accounts, without their values: %s', (_, before, change, changes, message) => {
    expect(judge('accounts', before, change, changes)).toEqual([expect.stringMatching(message)]);
  });
});

test.each<Story>([
  ['a venue moves three of twelve', events(12), first(3, at('19:00:00'))],
  ['half of them move', events(6), first(3, at('19:00:00'))],
  ['two of two move', events(2), at('19:00:00')],
  ['each moves by another amount', events(5), (_, index) => at(`1${index}:00:00`)()],
  ['one series moves', events(6, () => ({ series: 's1' })), at('19:00:00')],
  [
    'past dates of repeated events become their next ones',
    events(5, (index) => ({ date: `2026-11-2${index}` })),
    (record) => onDay(record, 14),
  ],
  [
    'exhibitions begin today, whenever that is',
    events(5, (index) => ({ date: '2026-12-01', endDate: `2027-0${index + 1}-15` })),
    () => ({ date: '2026-12-02' }),
  ],
  ['three of twelve titles are "Cancelled"', events(12), first(3, () => ({ title: 'Cancelled' }))],
  ['a place is renamed', events(5, () => ({ location: 'Hall' })), () => ({ location: 'Great Hall' })],
  ['a place is added to all', events(5, () => ({ location: '' })), () => ({ location: 'Hall' })],
  ['all get flags', events(5, () => ({ isFeatured: false })), () => ({ isFeatured: true })],
  [
    'the others are in the place already',
    events(6, (id) => ({ location: id < 3 ? `Room ${id}` : 'Hall' })),
    first(3, () => ({ location: 'Hall' })),
  ],
  ['every title changes', events(5), (_, index) => ({ title: `Lecture ${index}` })],
  [
    'texts get a footer',
    events(5, (id) => ({ description: `About ${id}` })),
    ({ description }) => ({ description: `${description} Tickets at the door.` }),
  ],
  ['few of many pictures are gone', events(12, (id) => ({ image: `sha256:${id}` })), first(3, () => ({ image: null }))],
  ['the sync allows it', events(5), at('17:00:00'), { core: false }],
  ['the sync allows all', events(5), at('17:00:00'), { threshold: { percent: 100 } }],
  ['the sync judges larger feeds only', events(5), at('17:00:00'), { core: { atLeast: 10 } }],
  ['the sync allows empty values', events(5), () => ({ location: '' }), { emptied: false }],
])('Not held: %s', (_, before, change, changes) => {
  expect(judge('events', before, change, changes)).toEqual([]);
});

test('Of many records, a frequent change is found although most values are rare', () => {
  const titles = (_: Record, index: number) => ({ location: index % 5 === 0 ? `Site ${index}` : 'Online' });
  const [message] = judge('events', events(400), titles, { threshold: { percent: 75 } });
  expect(message).toMatch(/^3\d\d of the 400 .*"location"/);
});
