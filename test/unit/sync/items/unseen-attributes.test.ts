import { expect, test } from 'vitest';
import type { CmsItem } from '../../../../src/cms/client.ts';
import type { SyncConfig } from '../../../../src/config/types.ts';
import { unseenAttributes } from '../../../../src/sync/items/unseen-attributes.ts';

const item = {
  id: 1,
  title: 'Tea',
  time: {},
  location: 'Hall',
  image: { src: '/a.png' },
  source_key: 'x',
  url: '/e/1',
};

function warningsOf(sync: object, target: object = {}, items: object[] = [item]): string[] {
  const given = { resource: 'events', attachments: {}, ...sync } as unknown as SyncConfig;
  const found = unseenAttributes(items as CmsItem[], { sync: given, target: { externalId: 'source_key', ...target } });
  return found.map(({ message }) => message);
}

test('An attribute that no item has is named, with those that the items have', () => {
  const [warning, ...others] = warningsOf({
    map: { title: 'Titel', start: 'Beginn', 'time.end': 'Ende', locaton: 'Ort' },
  });
  expect(others).toEqual([]);
  expect(warning).toMatch(
    /^locaton: no item of the site has this attribute \(1 item read\).* Its items have: image, location\./,
  );
});

test('A text for an attribute that has files belongs below attachments', () => {
  expect(warningsOf({ map: { image: 'Bild' } })).toEqual([expect.stringContaining('`attachments: { image: FIELD }`')]);
  expect(warningsOf({ attachments: { image: 'Bild' } })).toEqual([]);
});

test.each([
  ['the items have it', { map: { location: 'Ort', 'location.name': 'Name' } }, {}, [item]],
  ['the config names it', { map: { locaton: 'Ort' } }, { attributes: { events: ['locaton'] } }, [item]],
  ['the site has no items', { map: { locaton: 'Ort' } }, {}, []],
  ['an item shows it without a value', { map: { price: 'Preis' } }, {}, [item, { id: 2, price: null }]],
  ['it is the password of an account', { resource: 'accounts', map: { password: { generate: true } } }, {}, [item]],
])('Nothing is said if %s', (_, sync, target, items) => {
  expect(warningsOf(sync, target, items)).toEqual([]);
});
