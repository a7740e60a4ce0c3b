import { describe, expect, test } from 'vitest';
import { proposalFor, rulesOf, table } from './setup.ts';

const eventbrite = (id: string, status: string) => ({
  id,
  name: { text: `Gala ${id}`, html: `<p>Gala ${id}</p>` },
  start: { timezone: 'America/Chicago', local: '2027-03-01T19:00:00', utc: '2027-03-02T01:00:00Z' },
  end: { timezone: 'America/Chicago', local: '2027-03-01T21:00:00', utc: '2027-03-02T03:00:00Z' },
  created: '2026-01-01T00:00:00Z',
  status,
  logo: { url: `https://example.org/${id}.jpg` },
  venue: { name: 'Hall' },
});

describe('Events', () => {
  test('have their fields in objects', () => {
    const proposal = proposalFor([eventbrite('1', 'live'), eventbrite('2', 'canceled')]);
    expect(proposal).toMatchObject({ resource: { value: 'events' }, key: { value: 'id' }, open: [] });
    expect(rulesOf(proposal)).toMatchObject({
      title: 'name.text',
      start: 'start.local',
      end: 'end.local',
      location: 'venue.name',
    });
    expect(proposal.attachments.image?.value).toBe('logo.url');
    expect(proposal.source).toMatchObject({
      timezone: { value: 'America/Chicago' },
      deleted: { value: { field: 'status', is: 'canceled' } },
    });
  });

  test('of a spreadsheet have dates and times in columns of their own', () => {
    const columns = ['Subject', 'Start Date', 'Start Time', 'End Date', 'End Time', 'All Day Event', 'Private'];
    const proposal = proposalFor(
      table(
        columns,
        ['First day', '8/17/2027', '', '8/17/2027', '', 'True', 'False'],
        ['Meeting', '8/18/2027', '9:00 AM', '8/18/2027', '10:00 AM', 'False', 'True'],
      ),
    );
    expect(rulesOf(proposal)).toEqual({
      title: 'Subject',
      start: { field: 'Start Date', format: 'M/d/yyyy' },
      'time.start': 'Start Time',
      endDate: { field: 'End Date', format: 'M/d/yyyy' },
      'time.end': 'End Time',
      allDay: 'All Day Event',
    });
    expect(proposal.when?.value).toEqual({ field: 'Private', not: 'True' });
  });

  test.each([
    [
      ['Titel', 'Beginn', 'Ende', 'Ort', 'Beschreibung'],
      ['title', 'description', 'start', 'end', 'location'],
    ],
    [
      ['Titre', 'Date de début', 'Date de fin', 'Lieu', 'Descriptif'],
      ['title', 'description', 'start', 'end', 'location'],
    ],
    [
      ['Título', 'Fecha inicio', 'Fecha fin', 'Lugar', 'Descripción'],
      ['title', 'description', 'start', 'end', 'location'],
    ],
    [
      ['titolo', 'data_inizio', 'data_fine', 'luogo', 'descrizione'],
      ['title', 'description', 'start', 'end', 'location'],
    ],
    [
      ['eventName', 'startsAt', 'endsAt', 'venueName', 'body'],
      ['title', 'description', 'start', 'end', 'location'],
    ],
  ])('are recognised by %j', (columns, attributes) => {
    const rows = table(
      columns,
      ['Choir', '2027-03-01T19:30', '2027-03-01T21:00', 'Hall', 'Songs of the sea'],
      ['Fair', '2027-03-02T10:00', '2027-03-02T18:00', 'Park', 'For the whole family'],
    );
    expect(Object.keys(rulesOf(proposalFor(rows)))).toEqual(attributes);
  });

  test('whose times are ranges', () => {
    const rows = table(
      ['Name', 'Date', 'Time'],
      ['Yoga', '2027-03-01', '18:00 - 19:30'],
      ['Chess', '2027-03-02', '17:00 - 19:00'],
    );
    expect(rulesOf(proposalFor(rows))).toMatchObject({
      'time.start': { field: 'Time', range: 'first' },
      'time.end': { field: 'Time', range: 'last' },
    });
  });

  test('whose times are ranges in a field with a longer name', () => {
    const rows = table(
      ['Name', 'Date', 'time_string'],
      ['Yoga', '2027-03-01', '18:00-19:30'],
      ['Chess', '2027-03-02', '17:00-19:00'],
    );
    expect(rulesOf(proposalFor(rows))).toMatchObject({ 'time.start': { field: 'time_string', range: 'first' } });
  });

  test('take the date of the event, not that of its publication', () => {
    const rows = table(
      ['title', 'pub-date', 'meetup-date'],
      ['Yoga', '2026-12-05 10:00:00', '2027-03-01'],
      ['Chess', '2026-12-06 10:00:00', '2027-03-02'],
    );
    expect(rulesOf(proposalFor(rows)).start).toBe('meetup-date');
  });

  test('whose times are ranges with one half of the day', () => {
    const rows = table(
      ['Name', 'Date', 'Time'],
      ['Yoga', '2027-03-01', '6:00 - 7:30 pm'],
      ['Chess', '2027-03-02', '11-1 pm'],
    );
    expect(rulesOf(proposalFor(rows))).toMatchObject({
      'time.start': { field: 'Time', range: 'first' },
      'time.end': { field: 'Time', range: 'last' },
    });
  });

  test('that are all at midnight are of whole days', () => {
    const rows = table(
      ['title', 'start', 'end'],
      ['Fair', '2027-03-01T00:00:00', '2027-03-03T00:00:00'],
      ['Sale', '2027-03-05T00:00:00', '2027-03-05T00:00:00'],
    );
    expect(rulesOf(proposalFor(rows))).toMatchObject({ start: 'start', end: 'end', allDay: { value: true } });
  });

  test.each([
    ['2027-03-01T00:00:00Z', '2027-03-01T01:30:00Z'],
    ['2027-03-01 00:00', '2027-03-01 05:00'],
  ])('that begin at midnight and end at another time are no whole days: %s', (start, end) => {
    const rows = table(['title', 'start', 'end'], ['Club', start, end], ['Late show', start, end]);
    expect(rulesOf(proposalFor(rows))).not.toHaveProperty('allDay');
  });

  test('that never end on the day on which they start: the meaning of the end is asked for', () => {
    const rows = [1, 4, 8, 12, 20].map((day) => ({
      id: `e${day}`,
      title: `Day ${day}`,
      start: `2027-03-${String(day).padStart(2, '0')}`,
      end: `2027-03-${String(day + 1).padStart(2, '0')}`,
    }));
    expect(proposalFor(rows).open).toMatchObject([{ id: 'meaning of end', safe: 'last' }]);
    const answered = proposalFor(rows, { 'meaning of end': 'after' });
    expect(answered.open).toEqual([]);
    expect(rulesOf(answered).endDate).toEqual({ template: '{{ end | add_days: -1 }}' });
  });

  test('whose date, start and end are one field', () => {
    const rows = table(['title', 'date'], ['Fair', '13.3.2027 19:00 - 21:00'], ['Sale', '14.3.2027 10:00 - 12:00']);
    expect(rulesOf(proposalFor(rows))).toEqual({
      title: 'title',
      start: { field: 'date', range: 'first', format: 'd.M.yyyy H:mm' },
      'time.end': { field: 'date', range: 'last' },
    });
  });

  test('with a list of dates begin on the first', () => {
    const rows = [
      { title: 'Fair', dates: ['2027-03-01', '2027-03-02'] },
      { title: 'Sale', dates: ['2027-03-05'] },
    ];
    expect(rulesOf(proposalFor(rows)).start).toBe('dates[0]');
  });

  test('do not take the date of a change for their own', () => {
    const rows = table(['title', 'created_at', 'updated', 'date'], ['Fair', '2026-01-01', '2026-02-02', '2027-03-01']);
    expect(rulesOf(proposalFor(rows))).toMatchObject({ start: 'date' });
  });

  test('show titles without HTML, lists as text, and yes or no in the language of the feed', () => {
    const rows = table(
      ['titel', 'datum', 'tags', 'highlight'],
      ['Kunst &amp; Musik', '2027-03-01', ['Musik', 'Kunst'], 'ja'],
      ['Lesung', '2027-03-02', ['Literatur'], 'nein'],
    );
    expect(rulesOf(proposalFor(rows))).toMatchObject({
      title: { field: 'titel', html: 'text' },
      category: { field: 'tags', join: ', ' },
      isFeatured: { field: 'highlight', true: ['ja'], false: ['nein'] },
    });
  });

  test.each([
    [['<p>Come</p>', 'Bring a <lamp>'], '2 of 2 records have it; HTML in 1 of 2 texts, such as <p>'],
    [['Ana <ana@example.edu>', 'Arts & Crafts'], '2 of 2 records have it; no HTML in 2 texts'],
  ])('say whether descriptions are HTML: %j', ([first = '', second = ''], evidence) => {
    const rows = table(['title', 'date', 'description'], ['A', '2027-03-01', first], ['B', '2027-03-02', second]);
    expect(proposalFor(rows).map.description).toEqual({ value: 'description', evidence });
  });

  const both =
    '{{ place.hall }}{% if place.city != blank %}{% if place.hall != blank %}, {% endif %}{{ place.city }}{% endif %}';
  test.each([
    [{ hall: 'Main hall', city: 'Springfield' }, { template: both }],
    [{ hall: 'Studio', city: '' }, 'place.hall'],
    [{ id: 7, city: 'Springfield', country: 'US', lat: 51.2, timezone: 'America/Chicago' }, 'place.city'],
  ])('at a place of several parts are at these: %j', (place, location) => {
    const rows = [1, 2].map((day) => ({ id: day, title: `Day ${day}`, start: `2027-03-0${day}T19:00:00`, place }));
    expect(rulesOf(proposalFor(rows)).location).toEqual(location);
  });

  test('take a name of the place alone, if there is one', () => {
    const place = { name: 'Town hall', city: 'Springfield' };
    const rows = [1, 2].map((day) => ({ id: day, title: `Day ${day}`, start: `2027-03-0${day}T19:00:00`, place }));
    expect(rulesOf(proposalFor(rows)).location).toBe('place.name');
  });

  test('do not begin when their records were written', () => {
    const rows = table(
      ['id', 'title', 'date', 'time'],
      ['1', 'Talk', '2027-03-05', '15:09:43'],
      ['2', 'Show', '2027-03-06', '9:22:17'],
    );
    expect(rulesOf(proposalFor(rows))).toEqual({ title: 'title', start: 'date' });
    expect(proposalFor(rows).warnings).toMatchObject([expect.stringContaining('the events count as all-day')]);
  });

  test('without a date are warned about', () => {
    const { warnings, open } = proposalFor(table(['event', 'remark'], ['Fair', 'Come all'], ['Sale', 'In the yard']));
    expect(warnings).toContain('No field is known as a date: choose one for start. The fields are event, remark.');
    expect(open).toMatchObject([{ id: 'resource' }]);
  });
});

describe('The key', () => {
  test.each([
    [table(['nr', 'id', 'title', 'date'], ['1', 'a7', 'A', '2027-01-01'], ['2', 'b8', 'B', '2027-01-02']), 'id'],
    [
      table(
        ['nr', 'title', 'date', 'link'],
        ['1', 'A', '2027-01-01', 'https://example.org/a'],
        ['2', 'B', '2027-01-01', 'https://example.org/b'],
      ),
      'link',
    ],
    [table(['title', 'date'], ['A', '2027-01-01'], ['A', '2027-01-02']), ['title', 'date']],
    [
      table(['id', 'title', 'date'], ['s1', 'A', '2027-01-01'], ['s1', 'A', '2027-01-02'], ['s2', 'B', '2027-01-02']),
      ['id', 'date'],
    ],
    [
      table(['title', 'date', 'location'], ['A', '2027-01-01', 'Hall'], ['A', '2027-01-01', 'Park']),
      ['title', 'date', 'location'],
    ],
  ])('of %j', (rows, key) => {
    expect(proposalFor(rows).key.value).toEqual(key);
  });

  test('of a feed without ids comes with a warning', () => {
    const { warnings } = proposalFor(table(['title', 'date'], ['A', '2027-01-01'], ['A', '2027-01-02']));
    expect(warnings).toEqual([
      'The feed has no id: the key is title + date. If it changes, the item is created again.',
    ]);
  });
});

describe('The day on which a post was written is not the start', () => {
  const post = (names: readonly string[], more: (index: number) => object = () => ({})) =>
    Array.from({ length: 5 }, (_, index) => {
      const written = `2026-0${index + 1}-10T09:1${index}:00`;
      const fields = names.map((name) => [
        name,
        /date|gmt|lastmod|modified/i.test(name) ? written : `${name} ${index}`,
      ]);
      return { title: `Post ${index}`, ...Object.fromEntries(fields), ...more(index) };
    });

  test.each([
    ['WordPress', ['date', 'date_gmt', 'modified', 'slug']],
    ['a table of WordPress', ['Date', 'Author', 'Excerpt']],
    ['a database of WordPress', ['post_date', 'post_status', 'post_name']],
    ['RSS as JSON', ['pubDate', 'isoDate', 'guid', 'link', 'creator']],
    ['a static site', ['date', 'lastmod', 'slug', 'author']],
  ])('%s', (_, names) => {
    const { map, open } = proposalFor(post(names));
    expect(map).not.toHaveProperty('start');
    expect(open).toMatchObject([{ id: 'start', safe: 'none' }]);
    const [date = ''] = names;
    expect(rulesOf(proposalFor(post(names), { start: date })).start).toBe(date);
  });

  test.each([
    ['fields of a plugin', { acf: { event_date: '20270115', event_time: '19:00' } }, 'acf.event_date'],
    ['meta fields', { meta: { _event_start: '2027-03-10 19:00:00' } }, 'meta._event_start'],
  ])('The start is in %s', (_, more, field) => {
    const { map, open } = proposalFor(post(['date', 'date_gmt', 'modified', 'slug'], () => more));
    expect([map.start?.value].flat().map((rule) => (typeof rule === 'string' ? rule : rule?.field))).toEqual([field]);
    expect(open).toEqual([]);
  });

  test('A date beside a place and an author is that of the event', () =>
    expect(rulesOf(proposalFor(post(['date', 'author', 'excerpt', 'venue']))).start).toBe('date'));
});

describe('Guesses about values', () => {
  const rows = (more: (index: number) => object) =>
    Array.from({ length: 5 }, (_, index) => ({ id: `a${index}`, title: `Talk ${index}`, ...more(index) }));

  test('A picture is preferred to its thumbnail', () => {
    const pictures = (index: number) => ({
      date: `2027-03-1${index}`,
      thumbnail: `https://x.example/t${index}.jpg`,
      photo_full: `https://x.example/f${index}.jpg`,
    });
    expect(proposalFor(rows(pictures)).attachments.image?.value).toBe('photo_full');
  });

  test.each([
    ['Bildbeschreibung', (index: number) => `Saal ${index}`, { field: 'bild', alt: 'Bildbeschreibung' }],
    ['alt_text', (index: number) => `Map ${index}`, { field: 'bild', alt: 'alt_text' }],
    ['image_caption', (index: number) => (index === 1 ? '' : `Map ${index}`), { field: 'bild', alt: 'image_caption' }],
    ['alt', (index: number) => `https://x.example/${index}`, 'bild'],
    ['remark', (index: number) => `Map ${index}`, 'bild'],
  ])('A column with captions gives the alternative text: %s', (name, text, value) => {
    const pictures = (index: number) => {
      return { date: `2027-03-1${index}`, bild: `https://x.example/f${index}.jpg`, [name]: text(index) };
    };
    expect(proposalFor(rows(pictures)).attachments.image?.value).toEqual(value);
  });

  test.each([
    ['location', 'venue_name', (index: number) => `${index} Grove Street`],
    ['Ort', 'Saal', (index: number) => `Hauptstraße ${index}`],
  ])('The name of a place is preferred to its street: %s, %s', (place, name, streetOf) => {
    const places = (index: number) => ({
      date: `2027-03-1${index}`,
      [place]: streetOf(index + 1),
      [name]: `Hall ${index}`,
    });
    expect(proposalFor(rows(places)).map.location?.value).toBe(name);
    const only = (index: number) => ({ date: `2027-03-1${index}`, [place]: streetOf(index + 1) });
    expect(proposalFor(rows(only)).map.location?.value).toBe(place);
  });

  test('A formatted end goes with a formatted start', () => {
    const times = (index: number) => ({
      date: `2027-03-1${index}`,
      FormattedStartTime: `7:0${index} PM`,
      FormattedEndTime: `8:0${index} PM`,
    });
    expect(rulesOf(proposalFor(rows(times)))).toMatchObject({
      'time.start': 'FormattedStartTime',
      'time.end': 'FormattedEndTime',
    });
  });

  test('Times with odd seconds are when a record was written: whether they are the start is asked', () => {
    const { open } = proposalFor(rows((index) => ({ start: `2027-03-1${index}T15:09:4${index}` })));
    expect(open).toMatchObject([{ id: 'start', safe: 'start' }]);
    expect(
      proposalFor(
        rows((index) => ({ start: `2027-03-1${index}T15:09:4${index}` })),
        { start: 'start' },
      ).open,
    ).toEqual([]);
  });

  test('Words of programs for no value are left out, those of people are shown', () => {
    const words = ['NULL', 'Hall', 'TBA', 'undefined', 'Room 2'];
    const { map } = proposalFor(rows((index) => ({ date: `2027-03-1${index}`, location: words[index] })));
    expect(map.location?.value).toEqual({ field: 'location', empty: ['NULL', 'undefined'] });
  });
});
