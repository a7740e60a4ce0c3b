import { expect, test } from 'vitest';
import { differencesOf } from '../../../../src/sync/compare/differences.ts';

test('Attributes are shown by value, files by name, and removed ones as null', () => {
  const image = {
    attribute: 'image',
    source: { is: 'location' as const, location: 'https://a.example/new.png?key=1' },
  };
  const changed = ['title', 'description', 'image', 'brochure', 'source_key'];
  const payload = { title: 'New', description: null };
  const delivered = {
    title: 'Old',
    description: 'Text',
    image: { src: '/files/old.png' },
    brochure: { src: '/files/guide.pdf' },
    source_key: 'an old one',
  };
  expect(differencesOf({ changed, payload, attachments: [image], delivered })).toEqual([
    { attribute: 'title', from: 'Old', to: 'New' },
    { attribute: 'description', from: 'Text', to: null },
    {
      ...{ attribute: 'image', from: 'old.png', to: 'new.png' },
      files: { from: { src: '/files/old.png' }, to: 'https://a.example/new.png?key=1' },
    },
    { attribute: 'brochure', from: 'guide.pdf', to: null, files: { from: { src: '/files/guide.pdf' } } },
    { attribute: 'source_key', from: 'an old one' },
  ]);
  expect(differencesOf({ changed: ['image'], payload: {}, attachments: [image], delivered: null })).toEqual([
    { attribute: 'image', to: 'new.png', files: { to: 'https://a.example/new.png?key=1' } },
  ]);
});
