import { expect, test } from 'vitest';
import { syncNameOf } from '../../../src/app/drafts/sync-name.ts';

test.each([
  ['/a/Talks 2027.csv', 'talks-2027'],
  ['/a/events.csv', 'events'],
  ['/a/Événements du musée.json', 'evenements-du-musee'],
  ['/a/talks.csv.gz', 'talks'],
  ['/a/講座.csv', 'fallback'],
  ['/a/.csv', 'fallback'],
  ['-', 'fallback'],
  ['https://www.museum.example.org/feeds/talks.ics?token=1', 'talks'],
  ['https://calendar.example.edu/public.ics', 'example'],
  ['webcal://museum.example.org/calendar.ics', 'museum'],
  ['https://calendar.google.com/calendar/ical/abc%40group.calendar.google.com/private-1/basic.ics', 'google'],
  ['https://example.org/api/v2/12345678', 'example'],
  ['https://alder.libcal.com/ical_subscribe.php?src=p&cid=801', 'alder'],
  ['https://www.aldertown.example.org/common/modules/iCalendar/iCalendar.aspx?catID=14', 'aldertown'],
  ['http://127.0.0.1:8080/api/events', 'fallback'],
  ['http://localhost/', 'fallback'],
])('The sync of %s is named %s', (location, name) => {
  expect(syncNameOf(location, 'fallback')).toBe(name);
});
