import { expect, test } from 'vitest';
import { toAdoption } from '../../../../src/sync/match/adopted-state.ts';

const record = {
  key: 'k',
  resource: 'events' as const,
  payload: { title: 'Maps', text: '', time: { start: '18:00:00', type: 'timed' }, note: 'new' },
  attachments: [{ attribute: 'image', source: { is: 'location' as const, location: '/a.png' }, fingerprint: 'print' }],
};
const item = {
  id: 7,
  title: 'MAPS',
  text: null,
  time: { start: '18:00:00', end: null, type: 'timed', isAllDay: false },
  image: { src: '/theirs.png', width: '3' },
};

test('Only attributes that differ from the item are sent', () => {
  const target = { externalId: 'source_key' };
  expect(toAdoption(record, item, { sync: { name: 's' }, target })).toEqual({
    key: 'k',
    cmsId: 7,
    delivered: { title: 'MAPS', text: '', time: record.payload.time, note: null, source_key: null },
    editorState: {},
    changed: ['title', 'note', 'image', 'source_key'],
  });
});

test('Editor-owned attributes keep the value of the item, and empty ones are filled', () => {
  const authority = { title: 'editor', note: 'editor', image: 'editor', text: 'editor' } as const;
  const { changed, editorState } = toAdoption(record, item, { sync: { name: 's', authority }, target: {} });
  expect(changed).toEqual(['note']);
  expect(editorState).toEqual({
    title: { written: null, overruled: 'Maps', kept: 'MAPS' },
    text: { written: null },
    note: { written: null },
    image: { written: null, overruled: 'print' },
  });
});

test('A flag that the item shows as false and the record lacks is no edit', () => {
  const flagged = { ...record, payload: { isFeatured: null }, attachments: [] };
  const sync = { name: 's', authority: { isFeatured: 'editor' } as const };
  const { editorState } = toAdoption(flagged, { id: 7, isFeatured: false }, { sync, target: {} });
  expect(editorState).toEqual({ isFeatured: { written: false } });
});

test('Attributes that only a create sets keep the value of the item', () => {
  const authority = { title: 'initial', note: 'initial', image: 'initial' } as const;
  expect(toAdoption(record, item, { sync: { name: 's', authority }, target: {} }).changed).toEqual([]);
});
