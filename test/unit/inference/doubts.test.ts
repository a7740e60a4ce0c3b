import { describe, expect, test } from 'vitest';
import { proposalFor, rulesOf, table } from './setup.ts';

describe('Fields in other languages', () => {
  test.each([
    ['Дата', 'Начало', 'Название', '26 декабря 2026 г.', '18:00'],
    ['תאריך', 'שעה', 'שם האירוע', '26/12/2026', '18:00'],
    ['開催日', '時間', 'タイトル', '2026年12月26日(土)', '18:00'],
    ['Tarih', 'Saat', 'Etkinlik Adı', '26 Aralık 2026', '18.00'],
    ['التاريخ', 'الوقت', 'عنوان الفعالية', '٢٠٢٦/١٢/٢٦', '٦:٠٠ م'],
    ['Ημερομηνία', 'Ώρα', 'Τίτλος', 'Σάββατο 26 Δεκεμβρίου 2026', '6:00 μ.μ.'],
    ['공연일', '시작시간', '공연명', '2026.12.26(토)', '오후 6:00'],
    ['DT_SEANSU', 'GODZ', 'TYTUL_PL', '26-12-2026', '1800'],
  ])('%s, %s, %s are the day, the time and the title', (date, time, title, day, clock) => {
    const rows = table([title, date, time], ['A talk', day, clock], ['Another', day, clock], ['A third', day, clock]);
    const { resource, open, map } = proposalFor(rows);
    expect([resource.value, open]).toEqual(['events', []]);
    expect(JSON.stringify([map.title?.value, map.start?.value, map['time.start']?.value])).toMatch(
      new RegExp(`${title}.*${date}.*${time}`),
    );
  });

  test.each(['ReleaseDate', 'Продажа с', 'KayitTarihi', '掲載日', 'Vloženo', 'Jegyértékesítés kezdete'])(
    '%s is not the start',
    (name) => {
      const rows = table(['title', name, 'xyz'], ['A', '2026-11-02', '2027-01-10'], ['B', '2026-11-03', '2027-01-12']);
      expect(rulesOf(proposalFor(rows)).start).toBe('xyz');
    },
  );
});

describe('A line is doubtful', () => {
  const doubts = (rows: ReturnType<typeof table>) =>
    proposalFor(rows).warnings.filter((text) => text.includes('doubtful'));

  test('if the start is named only in part, and other dates are not named: it is asked for', () => {
    const rows = table(
      ['title', 'quux date', 'xyz'],
      ['A', '2027-01-10', '2027-01-01'],
      ['B', '2027-01-12', '2027-01-03'],
    );
    expect(proposalFor(rows).open).toMatchObject([{ id: 'start', safe: 'quux date' }]);
  });

  test('if no attribute takes later dates', () => {
    const rows = table(['title', 'date', 'xyz'], ['A', '2026-11-02', '2027-01-10'], ['B', '2026-11-03', '2027-01-12']);
    expect(doubts(rows)).toEqual([expect.stringContaining('start: doubtful: xyz has later dates')]);
    expect(proposalFor(rows).map.start?.evidence).toContain('doubtful');
  });

  test.each([
    ['p', 'q'],
    ['show', 'doors'],
  ])('if times are not named as such, which nothing takes: %s, %s', (first, second) => {
    const rows = table(
      ['title', 'date', first, second],
      ['A', '2027-01-10', '19:30', '18:30'],
      ['B', '2027-01-12', '18:00', '17:30'],
    );
    const { map, warnings } = proposalFor(rows);
    expect(map).not.toHaveProperty('time.start');
    expect(warnings).toContain(
      `${first} has times, such as "19:30", but is not named as the time of the start: the events count as all-day.`,
    );
  });

  test('if a time is a word: the warning says how to publish the record without a time', () => {
    const times = ['10:00', '10:00', 'after the service', '19:30'];
    const rows = times.map((time, index) => ({ title: `T${index}`, date: `2027-01-1${index}`, time }));
    expect(proposalFor(rows).warnings).toContain(
      '1 of 4 values of time is no time, such as "after the service": this record is rejected. To publish them without a time, add `empty: ["after the service"]` to the rule of time.start.',
    );
  });

  test('but years, doors and durations are no times of the start', () => {
    const rows = table(
      ['title', 'date', 'season', 'doors', 'duration'],
      ['A', '2027-01-10', '2027', '18:30', '01:30'],
      ['B', '2027-01-12', '2027', '17:30', '02:10'],
    );
    expect(rulesOf(proposalFor(rows))).not.toHaveProperty('time.start', 'season');
    expect(doubts(rows)).toEqual([]);
  });

  test('if am and pm may be missing', () => {
    const times = ['7:30', '8:00', '6:30', '10:00', '5:15'];
    const rows = times.map((time, index) => ({ title: `T${index}`, date: `2027-01-1${index}`, time }));
    expect(doubts(rows)).toEqual([expect.stringContaining('am and pm may be missing')]);
  });

  test('if it ends before it starts', () => {
    const rows = table(['title', 'start', 'end'], ['A', '2027-01-10', '2027-01-01'], ['B', '2027-01-12', '2027-01-13']);
    expect(doubts(rows)).toEqual(['end: doubtful: end is before start in 1 of 2 records.']);
  });

  test('but not if all is named', () => {
    const rows = table(
      ['title', 'created', 'date', 'time', 'end time'],
      ['A', '2027-05-01', '2027-01-10', '19:00', '21:00'],
      ['B', '2027-05-01', '2027-01-12', '18:00', '20:00'],
    );
    expect(doubts(rows)).toEqual([]);
  });
});

test('Words for the whole day are no time', () => {
  const rows = table(
    ['title', 'Dag', 'Tid'],
    ['A', '2027-01-10', 'kl 18.30–20.00'],
    ['B', '2027-01-11', 'kl 17–18'],
    ['C', '2027-01-12', 'heldag'],
  );
  const proposal = proposalFor(rows);
  expect(rulesOf(proposal)['time.start']).toMatchObject({ empty: ['heldag'], range: 'first' });
  expect(proposal.warnings.join()).not.toContain('rejected');
});

test('The end beside the start is preferred to that of a series', () => {
  const rows = [1, 2].map((day) => ({
    title: `Show ${day}`,
    last_date: '2027-03-30',
    instance: { start: `2027-03-0${day}T19:00:00`, end: `2027-03-0${day}T21:00:00` },
  }));
  expect(rulesOf(proposalFor(rows)).end).toBe('instance.end');
});

describe('Events and accounts', () => {
  test.each([
    ['events', ['名称', '日付'], ['雪舟', '2027-01-01'], ['民具', '2027-01-02']],
    ['events', ['Name', 'Datum'], ['Ada Byron', '2027-01-01'], ['Max Frei', '2027-01-02']],
    ['accounts', ['Имя', 'Фамилия', 'Дата приёма'], ['Анна', 'Орлова', '2010-01-01'], ['Пётр', 'Белов', '2011-01-01']],
    [
      'accounts',
      ['X', 'Y', 'hired'],
      ['Ada Byron', 'a@example.org', '2010-01-01'],
      ['Max Frei', 'b@example.org', '2011-01-01'],
    ],
  ])('%s are not asked for: %j', (resource, columns, ...rows) => {
    const proposal = proposalFor(table(columns, ...rows));
    expect(proposal.resource.value).toBe(resource);
    expect(proposal.open.filter(({ id }) => id === 'resource')).toEqual([]);
  });

  test('A field called "name" beside first names has the last names', () => {
    const rows = table(
      ['Vorname', 'Name', 'E-Mail'],
      ['Ada', 'Byron', 'Ada@example.org'],
      ['Max', 'Frei', 'm@example.org'],
    );
    expect(rulesOf(proposalFor(rows))).toEqual({
      email: { field: 'E-Mail', case: 'lower' },
      firstName: 'Vorname',
      lastName: 'Name',
    });
  });
});
