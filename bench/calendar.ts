import { writeFileSync } from 'node:fs';

/** Writes a calendar of events in one zone, every twentieth of them a series of ten weeks; `zone` is '' for floating times. */
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
    ...(index % 20 === 0 ? ['RRULE:FREQ=WEEKLY;COUNT=10'] : []),
    'END:VEVENT',
  ].join('\r\n');
}
