import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const bytes = await readFile(join(import.meta.dirname, '../../../examples/syncs/feeds/campus-calendar.ics'));
const physicalLines = bytes.toString('utf8').split('\r\n');
const lines = bytes.toString('utf8').replaceAll('\r\n ', '').split('\r\n');
const events = lines.join('\n').match(/^BEGIN:VEVENT\n[\s\S]*?^END:VEVENT$/gm) ?? [];
const zones = lines.filter((line) => line.startsWith('TZID:')).map((line) => line.slice('TZID:'.length));

describe('The sample campus-calendar.ics', () => {
  test('has CRLF line ends and lines of at most 75 octets (RFC 5545, 3.1)', () => {
    expect(bytes.toString('latin1')).not.toMatch(/[^\r]\n|\r[^\n]/);
    expect(physicalLines.at(-1)).toBe('');
    expect(physicalLines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    expect(physicalLines.filter((line) => line.startsWith(' ')).length).toBeGreaterThan(20);
    expect(bytes.toString('utf8')).not.toContain('\ufffd');
  });

  test('has 50 events, each with a UID and a summary of its own', () => {
    expect(events).toHaveLength(50);
    expect(new Set(valuesOf('UID')).size).toBe(50);
    expect(new Set(valuesOf('SUMMARY')).size).toBe(50);
    expect(valuesOf('DTSTAMP')).toHaveLength(50);
  });

  test('defines every zone that it names', () => {
    const named = new Set(lines.flatMap((line) => /;TZID=([^:;]+)/.exec(line)?.[1] ?? []));
    expect([...named].sort()).toEqual(['America/Los_Angeles', 'America/New_York', 'Asia/Tokyo', 'Europe/Berlin']);
    expect([...zones].sort()).toEqual([...named].sort());
  });

  test.each([
    ['all-day', /^DTSTART;VALUE=DATE:\d{8}$/m],
    ['in UTC', /^DTSTART:\d{8}T\d{6}Z$/m],
    ['floating', /^DTSTART:\d{8}T\d{6}$/m],
    ['with a duration', /^DURATION:PT/m],
    ['with escaped commas', /\\,/],
    ['with escaped line ends', /\\n/],
    ['with an address', /^URL:https:/m],
  ])('has events %s', (_, pattern) => {
    expect(events.filter((event) => pattern.test(event)).length).toBeGreaterThanOrEqual(3);
  });

  test('has one cancelled event, one with an impossible date, one far in the future, and no recurring one', () => {
    expect(events.filter((event) => event.includes('STATUS:CANCELLED'))).toHaveLength(1);
    expect(events.filter((event) => event.includes('20270230'))).toHaveLength(1);
    expect(valuesOf('DTSTART').filter((start) => start >= '2029')).toEqual(['20310912']);
    expect(events.filter((event) => /^(RRULE|RDATE|RECURRENCE-ID)/m.test(event))).toEqual([]);
  });
});

function valuesOf(property: string): string[] {
  const pattern = new RegExp(`^${property}(?:;[^:]*)?:(.*)$`, 'm');
  return events.flatMap((event) => pattern.exec(event)?.[1] ?? []);
}
