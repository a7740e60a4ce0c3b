import { describe, expect, test } from 'vitest';
import { desired, eventSync, rejection, warnings } from './setup.ts';

const fields = { id: '1', title: 'Talk', start: '2026-03-01T19:00' };

function sync(url: string) {
  return eventSync({
    source: { connector: 'csv', url, feed: {}, options: {} },
    attachments: { image: { field: 'image' } },
  });
}

function source(url: string, image: unknown) {
  return desired(sync(url), { ...fields, image }).attachments.map((attachment) => attachment.source);
}

describe('Attachments', () => {
  test.each([
    ['/feeds/events.csv', 'files/a.png', '/feeds/files/a.png'],
    ['/feeds/events.csv', ' /img/a b.png ', '/img/a b.png'],
    ['file:///feeds/my%20feed/events.csv', 'a.png', '/feeds/my feed/a.png'],
    ['/feeds/events.csv', 'file:///img/a.png', '/img/a.png'],
    ['/feeds/events.csv', 'https://cdn.example.edu/a.png', 'https://cdn.example.edu/a.png'],
    ['https://example.edu/feeds/all.json', '../img/a.png', 'https://example.edu/img/a.png'],
    ['webcal://example.edu/all.ics', '/img/a.png', 'https://example.edu/img/a.png'],
  ])('A path is relative to its feed: in %s, %s is at %s', (url, image, location) => {
    expect(source(url, image)).toEqual([{ is: 'location', location }]);
  });

  test.each([
    ['https://drive.google.com/file/d/1a-B_c/view?usp=sharing'],
    ['https://drive.google.com/open?usp=drive_web&id=1a-B_c'],
  ])('The page of a file in Google Drive is its file: %s', (image) => {
    const location = 'https://drive.google.com/uc?export=download&id=1a-B_c';
    expect(source('https://example.edu/a.json', image)).toEqual([{ is: 'location', location }]);
  });

  test('A path is relative to attachmentsDir, if that is set', () => {
    const own = { ...sync('/feeds/events.csv'), attachmentsDir: '/images' };
    const { attachments } = desired(own, { ...fields, image: 'a.png' });
    expect(attachments[0]?.source).toEqual({ is: 'location', location: '/images/a.png' });
  });

  test('Inline attachments are decoded', () => {
    const inline = { is: 'inline', base64: 'aGk=', mediaType: 'image/png' };
    expect(source('/feeds/a.ics', { base64: 'aGk=', mediaType: 'image/png' })).toEqual([inline]);
    expect(source('https://example.edu/a.json', 'data:image/png;base64,aGk=')).toEqual([inline]);
  });

  test('Broken characters in a location are removed', () => {
    expect(source('/feeds/a.csv', 'a\0\ud800.png')).toEqual([{ is: 'location', location: '/feeds/a.png' }]);
  });

  test.each([[undefined], [null], [''], [' '], [[]]])('The value %j is no attachment', (image) => {
    expect(source('/feeds/a.csv', image)).toEqual([]);
  });

  test('The first item of a list is used, with a warning', () => {
    expect(source('/feeds/a.csv', ['a.png', 'b.png'])).toEqual([{ is: 'location', location: '/feeds/a.png' }]);
    expect(warnings(sync('/feeds/a.csv'), { ...fields, image: ['a.png', 'b.png'] })).toHaveLength(1);
  });

  test.each([
    ['https://example.edu/a.json', 'file:///etc/passwd'],
    ['webcal://example.edu/a.ics', 'file:///etc/passwd'],
    ['https://example.edu/a.json', 'ftp://example.edu/a.png'],
    ['/feeds/a.csv', 'javascript:alert(1)'],
    ['/feeds/a.csv', 'file://otherhost/a.png'],
    ['/feeds/a.csv', 5],
    ['/feeds/a.csv', { mediaType: 'image/png' }],
  ])('A feed at %s cannot name %j', (url, image) => {
    expect(rejection(sync(url), { ...fields, image })).toMatchObject({
      code: 'FF_RECORD_VALUE',
      reason: expect.stringMatching(/^image: .*\(field "image"\)$/),
    });
  });

  test.each([
    [{ field: 'image', alt: { field: 'caption' } }, { image: 'a.png', caption: ' A <b>map</b> ' }, { alt: 'A map' }],
    [{ field: 'image', alt: { template: '{{ caption | default: title }}' } }, { image: 'a.png' }, { alt: 'Talk' }],
    [{ field: 'image', alt: { field: 'caption' } }, { image: 'a.png' }, {}],
    [{ field: 'image' }, { image: 'a.png', credit: 'A map' }, { alt: 'A map' }],
    [{ field: 'image', alt: { value: '' } }, { image: 'a.png', credit: 'A map' }, {}],
  ])('The alternative text of %j for %j is %j', (image, more, alt) => {
    const { attachments } = desired(
      { ...sync('/feeds/a.csv'), attachments: { image } },
      { ...fields, ...more },
      {
        captions: { image: 'credit' },
      },
    );
    expect(attachments).toEqual([{ attribute: 'image', source: { is: 'location', location: '/feeds/a.png' }, ...alt }]);
  });

  test.each([
    [{ category: 'Music' }, '/own/music.jpg'],
    [{ category: ['Free', 'Music'] }, '/own/music.jpg'],
    [{ category: 'Film' }, '/own/any.jpg'],
    [{}, '/own/any.jpg'],
    [{ category: 'Music', image: 'a.png' }, undefined],
  ])('The default picture of %j is %s', (more, location) => {
    const lookup = { Music: '/own/music.jpg' };
    const image = { field: 'image', default: { field: 'category', lookup, default: '/own/any.jpg' } };
    const { attachments } = desired({ ...sync('/feeds/a.csv'), attachments: { image } }, { ...fields, ...more });
    expect(attachments).toEqual([
      location === undefined
        ? { attribute: 'image', source: { is: 'location', location: '/feeds/a.png' } }
        : { attribute: 'image', source: { is: 'location', location }, isDefault: true },
    ]);
  });
});
