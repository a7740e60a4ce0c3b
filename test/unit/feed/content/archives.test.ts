import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { strToU8, Zip, ZipDeflate, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { CodedError } from '../../../../src/core/errors.ts';
import type { FeedOptions } from '../../../../src/feed/content/feed-options.ts';
import { readFeeds } from '../../../../src/feed/open.ts';
import { openFeed, textOf } from '../../../support/feeds.ts';
import { folderOf } from '../../../support/folder.ts';
import { rounds } from '../../../support/long.ts';

describe('A ZIP archive', () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `${index},${(index * 7919) % 104_729}`).join('\n');
  const read = (archive: Uint8Array, options: FeedOptions = {}) =>
    openFeed(join(folderOf({ 'feed.zip': archive }), 'feed.zip'), options);

  test.each([0, 6] as const)('contains the named file at compression level %i', async (level) => {
    const archive = zipSync({ 'other.bin': new Uint8Array(300_000), 'data/é.csv': strToU8(lines) }, { level });
    const feed = await read(archive, { member: 'data/é.csv' });
    expect(await textOf(feed)).toBe(lines);
    expect(feed.receipt()).toMatchObject({ bytes: archive.length, complete: true });
  });

  test('contains its only file if none is named, because directories and hidden files are ignored', async () => {
    const archive = zipSync({ 'a/': new Uint8Array(), '__MACOSX/a/._x.csv': strToU8('?'), 'a/x.csv': strToU8(lines) });
    expect(await textOf(await read(archive))).toBe(lines);
  });

  test('may be written as a stream, without sizes', async () => {
    const parts: Uint8Array[] = [];
    const zip = new Zip((error, part) => {
      if (error) throw error;
      parts.push(part);
    });
    const entry = new ZipDeflate('x.csv');
    zip.add(entry);
    entry.push(strToU8(lines), true);
    zip.end();
    expect(await textOf(await read(Buffer.concat(parts)))).toBe(lines);
  });

  test.each([
    [
      'with several files',
      zipSync({ 'a.csv': strToU8('a'), 'b.csv': strToU8('b') }),
      undefined,
      'contains several files',
    ],
    ['without the named file', zipSync({ 'a.csv': strToU8('a') }), 'b.csv', 'does not contain "b.csv"'],
    ['of another document', zipSync({ mimetype: strToU8('application/epub+zip') }), undefined, 'is a document'],
    ['that is not an archive', strToU8('a,b'), 'b.csv', 'is not a ZIP archive'],
  ])('%s is refused', async (_, archive, member, message) => {
    await expect(read(archive, member ? { member } : {}).then(textOf)).rejects.toMatchObject({
      code: 'FF_FEED_FORMAT',
      message: expect.stringContaining(message),
    });
  });

  test('that is cut off is incomplete', async () => {
    const archive = zipSync({ 'x.csv': strToU8(lines) });
    const feed = await read(archive.subarray(0, archive.length - 2000));
    const text = await textOf(feed);
    expect(text.length > 0 && lines.startsWith(text)).toBe(true);
    expect(feed.receipt()).toMatchObject({ complete: false, reason: expect.stringContaining('damaged or cut off') });
  });

  test.each([
    ['stored', zipSync({ 'x.csv': strToU8('id,title\n1,Maps\n') }, { level: 0 })],
    ['deflated', zipSync({ 'other.txt': strToU8('x'), 'x.csv': strToU8('id,title\n1,Maps\n1,Maps\n') })],
  ])('never passes on changed content as whole, if it is %s', async (_, archive) => {
    const path = join(folderOf({ 'feed.zip': archive }), 'feed.zip');
    const whole = await textOf(await openFeed(path, { member: 'x.csv' }));
    for (let at = 4; at < archive.length; at += 1) {
      const damaged = archive.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 4;
      writeFileSync(path, damaged);
      const feed = await openFeed(path, { member: 'x.csv' });
      const text = await textOf(feed).catch((error: unknown) => expect(error).toBeInstanceOf(CodedError));
      if (text !== whole && text !== undefined) expect(feed.receipt(), `byte ${at}`).toMatchObject({ complete: false });
    }
  });

  test('whose content does not have its CRC-32 is refused, even if it is long', async () => {
    const archive = zipSync({ 'x.csv': strToU8(lines) }, { level: 0 });
    archive[200_000] = 120;
    await expect(read(archive).then(textOf)).rejects.toMatchObject({
      code: 'FF_FEED_UNREADABLE',
      message: expect.stringContaining('x.csv is damaged: its CRC-32'),
    });
  });

  test('whose directory is cut off is incomplete', async () => {
    const archive = zipSync({ 'x.csv': strToU8(lines) });
    const feed = await read(archive.subarray(0, archive.length - 30));
    expect(await textOf(feed)).toBe(lines);
    expect(feed.receipt()).toMatchObject({ complete: false, reason: expect.stringContaining('cut off') });
  });

  test('that is damaged in any way is read, incomplete or a CodedError', async () => {
    const archive = zipSync({ 'a/x.csv': strToU8('id,title\n1,Maps\n'), '.hidden': strToU8('x') });
    const path = join(folderOf({ 'feed.zip': archive }), 'feed.zip');
    const damage = fc.record({ at: fc.nat(archive.length - 1), byte: fc.nat(255), end: fc.nat(archive.length) });
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, byte, end }) => {
        const damaged = archive.slice(0, Math.max(4, end));
        if (at >= 4 && at < damaged.length) damaged[at] = byte;
        writeFileSync(path, damaged);
        await openFeed(path)
          .then(textOf)
          .catch((error: unknown) => expect(error).toBeInstanceOf(CodedError));
      }),
      { numRuns: rounds(60, 5_000) },
    );
  });

  test.each([
    ['gzip', () => gzipSync(Buffer.alloc(20_000_000, 'a'))],
    ['ZIP', () => zipSync({ 'x.csv': new Uint8Array(20_000_000).fill(97) })],
  ])('or file that is a %s bomb is refused by its ratio', async (_, bomb) => {
    let unpacked = 0;
    const feed = await read(bomb());
    const reading = (async () => {
      for await (const chunk of feed.bytes()) unpacked += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'FF_FEED_TOO_LARGE',
      message: expect.stringContaining('more than 200 times its size'),
    });
    expect(unpacked).toBeLessThan(20_000_000);
  });
});

describe('Several files', () => {
  const textsOf = async (pattern: string, options: FeedOptions = {}) => {
    const reading = readFeeds(pattern, options);
    const texts: string[] = [];
    for await (const feed of reading.feeds()) texts.push(`${feed.location.split('/').at(-1)}: ${await textOf(feed)}`);
    return { texts, receipt: reading.receipt() };
  };

  test('are read in the order of their names, into one receipt', async () => {
    const dir = folderOf({ 'b.csv': 'two', 'a.csv': 'one', 'c.txt': 'no', 'deep/d.csv': gzipSync('four') });
    const { texts, receipt } = await textsOf(join(dir, '*.csv'));
    expect(texts).toEqual(['a.csv: one', 'b.csv: two']);
    expect(receipt).toMatchObject({ location: join(dir, '*.csv'), bytes: 6, complete: true });
    expect((await textsOf(join(dir, '**/*.csv'))).texts).toEqual(['a.csv: one', 'b.csv: two', 'd.csv: four']);
    expect((await textsOf(join(dir, '{b,c}.*'))).texts).toEqual(['b.csv: two', 'c.txt: no']);
  });

  test('do not include others if a file has exactly the name of the pattern', async () => {
    const dir = folderOf({ 'x[1].csv': 'one', 'x1.csv': 'other' });
    expect((await textsOf(join(dir, 'x[1].csv'))).texts).toEqual(['x[1].csv: one']);
  });

  test('are an error if the pattern matches none, and incomplete if one is cut off', async () => {
    const dir = folderOf({ 'a.csv': 'one', 'b.csv': gzipSync('x'.repeat(10_000_000)).subarray(0, 5000) });
    await expect(textsOf(join(dir, '*.ics'))).rejects.toMatchObject({ code: 'FF_FEED_MISSING' });
    const { receipt } = await textsOf(join(dir, '*.csv'));
    expect(receipt).toMatchObject({ complete: false, reason: expect.stringMatching(/b\.csv: .*cut off/) });
  });
});

test('Standard input is a feed', () => {
  const open = JSON.stringify(join(import.meta.dirname, '../../../support/feeds.ts'));
  const script = `
    const { openFeed, textOf } = await import(${open});
    const feed = await openFeed('-');
    const text = await textOf(feed);
    console.log(JSON.stringify({ text, ...feed.receipt() }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { input: 'a,é\n' });
  expect(JSON.parse(stdout.toString() || stderr.toString())).toMatchObject({
    text: 'a,é\n',
    location: 'standard input',
    bytes: 5,
    complete: true,
  });
});
