import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CodedError } from '../../../src/core/errors.ts';
import { openSample, takeSample } from '../../../src/source/sample/sample-feed.ts';
import { folderOf } from '../../support/folder.ts';
import { rounds } from '../../support/long.ts';

const { signal } = new AbortController();
const sound = [
  'id;title;start\n1;"Maps; and more";1.3.2027\n2;Ships;2.3.2027\n3;Tides;3.3.2027\n',
  JSON.stringify({ next: 'x', events: [{ id: 1, title: 'Maps', start: '2027-03-01', place: { name: 'Hall' } }] }),
  '{"id":1,"title":"Maps"}\n{"id":2,"title":"Ships"}\n',
  'BEGIN:VCALENDAR\nX-WR-TIMEZONE:Europe/Rome\nBEGIN:VEVENT\nUID:1\nDTSTART:20270301\nEND:VEVENT\nEND:VCALENDAR\n',
  '<!doctype html><script type="application/ld+json">{"@type":"Event","name":"Maps"}</script></html>',
];

test('A damaged feed gives a sample or an error with a remedy', { timeout: 60_000 }, async () => {
  const location = join(folderOf({}), 'feed');
  const junk = fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc
      .constantFrom('"', "'", ';', ',', '{', '}', '[', ']', '\n', '\t', '<', '\0', 'é')
      .map((text) => Buffer.from(text)),
  );
  const damages = fc.record({ feed: fc.constantFrom(...sound), from: fc.nat(120), length: fc.nat(40), junk });
  let samples = 0;
  await fc.assert(
    fc.asyncProperty(damages, async ({ feed, from, length, junk }) => {
      const bytes = Buffer.from(feed);
      writeFileSync(location, Buffer.concat([bytes.subarray(0, from), junk, bytes.subarray(from + length)]));
      try {
        await takeSample(await openSample(location, signal), 'feed', signal);
        samples += 1;
      } catch (error) {
        expect(error).toBeInstanceOf(CodedError);
        expect((error as CodedError).code).toMatch(/^FF_FEED_/);
      }
    }),
    { numRuns: rounds(100, 10_000) },
  );
  expect(samples).toBeGreaterThan(rounds(10, 100));
});
