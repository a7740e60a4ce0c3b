import { describe, expect, test } from 'vitest';
import type { Payload } from '../../../../src/core/record.ts';
import {
  allowedChanges,
  needsLiveItem,
  rememberWritten,
  respectEdits,
} from '../../../../src/sync/compare/authority.ts';
import { planRecord } from '../../../../src/sync/compare/decide.ts';

const authority = { title: 'source', text: 'editor', image: 'editor', time: 'initial' } as const;

describe('Plans', () => {
  const delivered = {
    payload: { title: 'A', text: 'a', time: { start: '1' } },
    fingerprints: {},
    cmsId: 1,
    editorState: {},
    isUnconfirmed: false,
  };
  const desired = (text: string) => ({ payload: { title: 'A', text, time: { start: '2' } }, fingerprints: {} });

  test('A plan omits attributes that only a create sets', () => {
    expect(planRecord(desired('a'), delivered, authority)).toEqual({ op: 'unchanged', changed: [] });
    expect(planRecord(desired('a'), delivered)).toEqual({ op: 'update', changed: ['time'] });
    expect(planRecord(desired('a'), undefined, authority).changed).toEqual(['title', 'text', 'time']);
  });

  test('A plan does not repeat a value that was overruled by an editor', () => {
    const overruled = { ...delivered, editorState: { text: { written: 'a', overruled: 'b' } } };
    expect(planRecord(desired('b'), overruled, authority).op).toBe('unchanged');
    expect(planRecord(desired('c'), overruled, authority)).toEqual({ op: 'update', changed: ['text'] });
    expect(planRecord(desired('b'), overruled, { time: 'initial' })).toEqual({ op: 'update', changed: ['text'] });
  });

  test('A plan remembers a null that was overruled', () => {
    const editorState = { text: { written: 'a', overruled: null } };
    expect(allowedChanges({ text: null }, authority, editorState)).toEqual({});
    expect(allowedChanges({ text: null }, authority, { text: { written: null } })).toEqual({ text: null });
  });
});

test('The live item is needed only for editor-owned attributes', () => {
  expect(needsLiveItem({ title: 'B', time: {} }, authority)).toBe(false);
  expect(needsLiveItem({ title: 'B', text: 'b' }, authority)).toBe(true);
});

describe('Edits', () => {
  const known = {
    authority,
    editorState: { text: { written: '<p>a</p>' } },
    delivered: { title: 'A', text: 'a' },
    unconfirmed: [],
  };

  test('An attribute that is unchanged since the last write may be sent', () => {
    const live = { id: 1, title: 'edited', text: '<p>a</p>' };
    expect(respectEdits({ title: 'B', text: 'b' }, live, known)).toEqual({
      changes: { title: 'B', text: 'b' },
      kept: {},
      editorState: known.editorState,
    });
  });

  test('An edited attribute is kept, and remembered with the overruled value', () => {
    expect(respectEdits({ title: 'B', text: 'b' }, { id: 1, text: 'edited' }, known)).toEqual({
      changes: { title: 'B' },
      kept: { text: 'edited' },
      editorState: { text: { written: '<p>a</p>', overruled: 'b', kept: 'edited' } },
    });
    const emptied = respectEdits({ text: 'b' }, { id: 1, text: '' }, known);
    expect(emptied.kept).toEqual({ text: '' });
  });

  test('An attribute that an editor restored may be sent again', () => {
    const overruled = { ...known, editorState: { text: { written: 'a', overruled: 'b' } } };
    expect(respectEdits({ text: 'c' }, { id: 1, text: 'a' }, overruled).changes).toEqual({ text: 'c' });
  });

  test('A value that is already in the CMS is no edit', () => {
    expect(respectEdits({ text: 'b' }, { id: 1, text: 'b' }, known)).toEqual({
      changes: {},
      kept: { text: 'b' },
      editorState: { text: { written: 'b' } },
    });
  });

  test('A flag that was cleared and is shown as false is no edit', () => {
    const cleared = { ...known, editorState: {}, delivered: { text: null } };
    expect(respectEdits({ text: true }, { id: 1, text: false }, cleared).changes).toEqual({ text: true });
  });

  test('An unconfirmed write is compared by the values that were sent', () => {
    const bare = { ...known, editorState: {} };
    expect(respectEdits({ text: 'b' }, { id: 1, text: 'a' }, bare).changes).toEqual({ text: 'b' });
    expect(respectEdits({ text: 'b' }, { id: 1, text: 'edited' }, bare).editorState).toEqual({
      text: { written: 'a', overruled: 'b', kept: 'edited' },
    });
    expect(respectEdits({ image: 'print' }, { id: 1 }, bare).changes).toEqual({ image: 'print' });
  });

  test('What an earlier update without a response may have written is no edit', () => {
    const unconfirmed: Payload[] = [{ title: 'A' }, { text: 'b' }];
    expect(respectEdits({ text: 'c' }, { id: 1, text: 'b' }, { ...known, unconfirmed })).toEqual({
      changes: { text: 'c' },
      kept: {},
      editorState: known.editorState,
    });
    expect(respectEdits({ text: 'c' }, { id: 1, text: 'edited' }, { ...known, unconfirmed }).changes).toEqual({});
  });

  test('What an editor has written before an update without a response stays an edit', () => {
    const editorState = { text: { written: 'a', overruled: 'b', kept: 'edited' } };
    // What was delivered before includes what was kept.
    const unconfirmed: Payload[] = [{ title: 'A', text: 'edited' }, { text: 'c' }];
    const later = { ...known, editorState, unconfirmed };
    expect(respectEdits({ text: 'd' }, { id: 1, text: 'edited' }, later).changes).toEqual({});
    expect(respectEdits({ text: 'd' }, { id: 1, text: 'c' }, later).changes).toEqual({ text: 'd' });
  });

  test('Files are compared by their path only', () => {
    const file = { ...known, editorState: {}, delivered: { image: { src: '/a.png' } } };
    const same = respectEdits({ image: 'print' }, { id: 1, image: { src: '/a.png', width: '1' } }, file);
    expect(same.changes).toEqual({ image: 'print' });
    const other = respectEdits({ image: 'print' }, { id: 1, image: { src: '/b.png' } }, file);
    expect(other).toMatchObject({ changes: {}, kept: { image: { src: '/b.png' } } });
  });
});

test('Only sent values are remembered as delivered, and they are no longer overruled', () => {
  const before = { text: { written: 'a', overruled: 'b' }, image: { written: { src: '/a.png' } } };
  const answer = { id: 1, title: 'B', text: '<p>c</p>', image: { src: '/edited.png' } };
  expect(rememberWritten(before, { title: 'B', text: 'c' }, answer, authority)).toEqual({
    text: { written: '<p>c</p>' },
    image: { written: { src: '/a.png' } },
  });
});
