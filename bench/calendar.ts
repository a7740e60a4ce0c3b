import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a calendar of events in one zone, every twentieth of them a series of twenty weeks; `zone` is '' for floating times. */
export function writeCalendar(file: string, events: number, zone: string): string {
  const blocks = Array.from({ length: events }, (_, index) => eventBlock(index, zone));
  writeFileSync(
    file,
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//bench//EN', ...blocks, 'END:VCALENDAR', ''].join('\r\n'),
  );
  return file;
}

function eventBlock(index: number, zone: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `2026${two(1 + (index % 12))}${two(1 + (index % 28))}`;
  const hour = 8 + (index % 10);
  return [
    'BEGIN:VEVENT',
    `UID:event-${index}@example.edu`,
    'DTSTAMP:20260101T000000Z',
    `DTSTART${zone}:${day}T${two(hour)}0000`,
    `DTEND${zone}:${day}T${two(hour + 1)}3000`,
    `SUMMARY:Event ${index}\\, part ${index % 7}`,
    `LOCATION:Room ${index % 300}`,
    `DESCRIPTION:What event ${index} is about\\nin two lines`,
    'CATEGORIES:Talks,Public',
    ...(index % 20 === 0 ? ['RRULE:FREQ=WEEKLY;COUNT=20'] : []),
    'END:VEVENT',
  ].join('\r\n');
}

/** Writes calendars of at most 5 MB that cost a careless reader minutes; returns their paths by name. */
export function writeCostlyCalendars(folder: string): Record<string, string> {
  const calendars: Record<string, string[]> = {
    '10,000 RDATEs': event(0, ...Array.from({ length: 10_000 }, (_, index) => `RDATE:${dayOf(index)}T120000Z`)),
    '10,000 EXDATEs': event(
      0,
      'RRULE:FREQ=DAILY;COUNT=20000',
      ...Array.from({ length: 10_000 }, (_, index) => `EXDATE:${dayOf(index)}T100000Z`),
    ),
    '500 × DAILY;COUNT=1000': events(500, 'RRULE:FREQ=DAILY;COUNT=1000'),
    '200 × BYWEEKNO until 2200': events(200, 'RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;UNTIL=22000101'),
    '5,000 × WEEKLY;COUNT=5000': events(5000, 'RRULE:FREQ=WEEKLY;COUNT=5000'),
    '45,000 × DAILY': events(45_000, 'RRULE:FREQ=DAILY'),
    '40,000 × MONTHLY;COUNT=99999': events(40_000, 'RRULE:FREQ=MONTHLY;BYDAY=1MO;COUNT=99999'),
    '15,000 zones of SECONDLY rules': Array.from({ length: 15_000 }, (_, index) => zoneAndEvent(index)).flat(),
  };
  const entries = Object.entries(calendars).map(([name, lines], index) => {
    const file = join(folder, `costly-${index}.ics`);
    writeFileSync(file, ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n'));
    return [name, file];
  });
  return Object.fromEntries(entries);
}

function dayOf(index: number): string {
  return new Date(Date.UTC(2010, 0, 1 + index)).toISOString().slice(0, 10).replaceAll('-', '');
}

function event(index: number, ...lines: string[]): string[] {
  return ['BEGIN:VEVENT', `UID:e${index}`, 'DTSTART:20100101T100000Z', ...lines, 'END:VEVENT'];
}

function events(count: number, ...lines: string[]): string[] {
  return Array.from({ length: count }, (_, index) => event(index, ...lines)).flat();
}

function zoneAndEvent(index: number): string[] {
  const offsets = ['TZOFFSETFROM:+0100', 'TZOFFSETTO:+0100'];
  const observance = ['BEGIN:STANDARD', 'DTSTART:16010101T000000', ...offsets, 'RRULE:FREQ=SECONDLY', 'END:STANDARD'];
  const zone = ['BEGIN:VTIMEZONE', `TZID:Z${index}`, ...observance, 'END:VTIMEZONE'];
  return [...zone, 'BEGIN:VEVENT', `UID:z${index}`, `DTSTART;TZID=Z${index}:20260101T100000`, 'END:VEVENT'];
}
