import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectors } from '../../../connectors/index.ts';
import type { AnyConnector } from '../../../src/core/connector.ts';
import { rounds } from '../../support/long.ts';
import { readFeed } from './read-feed.ts';

/** Pieces that make feeds of each kind go wrong more often than random bytes do. */
const pieces: Record<string, string[]> = {
  csv: ['a,b', '\n', '\r', '"', '""', ',', ';', '1', 'é', '\0', '\uFEFF', ' ', 'sep=', '__proto__'],
  json: ['{', '}', '[', ']', '"a"', ':', ',', '1', '-', '1e999', 'null', '\n', '"\\ud800"', '"__proto__"', ' ', '\\'],
  jsonfeed: [
    '{"items":[',
    '{"id":"a"}',
    '{"id":9007199254740993,"content_text":"x"}',
    ',',
    ']',
    '"next_url":"p"',
    '}',
    '1',
    '\0',
  ],
  jsonld: [
    '<html>',
    '<script type="application/ld+json">',
    '</script>',
    '<!--',
    '-->',
    '{"@type":"Event","name":"a"}',
    '{"@graph":[',
    '{"@id":"#x"}',
    '"@type":["MusicEvent"]',
    '"image":',
    ']',
    '}',
    ',',
    '[',
    '\0',
  ],
  ical: [
    'BEGIN:VCALENDAR\r\n',
    'END:VCALENDAR\r\n',
    'BEGIN:VEVENT\n',
    'END:VEVENT\r',
    'BEGIN:VTIMEZONE\n',
    'END:VTIMEZONE\n',
    'TZID:X\n',
    'UID:__proto__\n',
    'DTSTART:20260301T190000Z\n',
    'DTSTART;TZID=:20260301T190000\n',
    'DTSTART;VALUE=DATE:00000000\n',
    'DTEND:99991231T235959\n',
    'DURATION:P99999999999D\n',
    'RRULE:FREQ=SECONDLY\n',
    'RRULE:\n',
    'GEO:x\n',
    'SEQUENCE:-1e9\n',
    'X-A;B="\n',
    ' fold\n',
    ':',
    ';',
    '\0',
  ],
};

const bytesFor = (connector: AnyConnector) =>
  fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .array(fc.oneof(fc.constantFrom(...(pieces[connector.kind] ?? ['x'])), fc.string({ maxLength: 5 })), {
        maxLength: 60,
      })
      .map((parts) => Buffer.from(parts.join(''))),
  );

describe.each(connectors.map((connector) => ({ kind: connector.kind, connector })))(
  'The connector $kind',
  ({ connector }) => {
    test('turns any bytes into records, rejections or a CodedError, the same in chunks of any size', async () => {
      await fc.assert(
        fc.asyncProperty(bytesFor(connector), fc.integer({ min: 1, max: 50 }), async (bytes, chunkSize) => {
          // readFeed lets nothing but a CodedError pass.
          const whole = await readFeed(connector, bytes);
          const pieced = await readFeed(connector, bytes, { chunkSize });
          expect(whole.error?.code).not.toBe('FF_BUG');
          expect(pieced.error?.message).toBe(whole.error?.message);
          expect(pieced.records).toEqual(whole.records);
          expect(pieced.rejections).toEqual(whole.rejections);
          expect(JSON.parse(JSON.stringify(whole.records))).toEqual(whole.records);
        }),
        { numRuns: rounds(100, 10_000) },
      );
    });
  },
);
