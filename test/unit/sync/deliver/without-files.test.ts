import { describe, expect, test } from 'vitest';
import { CmsError } from '../../../../src/cms/errors.ts';
import { CodedError, TransientError } from '../../../../src/core/errors.ts';
import type { KnownItem } from '../../../../src/ledger/records/claimed-record.ts';
import { pauseAfter, withoutFiles } from '../../../../src/sync/deliver/without-files.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = 1_000_000;
const context = { runtime: { now: () => NOW } };

test.each([
  [1, 0, 0],
  [2, 10 * MINUTE, 10 * MINUTE],
  [3, 20 * MINUTE, 20 * MINUTE],
  [4, 40 * MINUTE, 40 * MINUTE],
  [5, 80 * MINUTE, HOUR],
  [8, 640 * MINUTE, HOUR],
  [20, 168 * HOUR, HOUR],
  [5_000, 168 * HOUR, HOUR],
])('After %i tries, a file waits for %i ms; if its server was away, %i ms', (tries, final, transient) => {
  expect(pauseAfter(tries, { isTransient: false })).toBe(final);
  expect(pauseAfter(tries, { isTransient: true })).toBe(transient);
});

const missing = new CodedError('FF_ATTACHMENT_UNREADABLE', 'a.png returned status 404.');
const away = new CodedError('FF_ATTACHMENT_UNREADABLE', 'a.png returned status 503.', {
  cause: new TransientError('FF_FEED_STATUS', 'a.png returned status 503.', {}),
});
const busyCms = new CodedError('FF_ATTACHMENT_UPLOAD', 'busy', {
  cause: new CmsError('rateLimited', 'busy', { method: 'POST' }),
});
const entry = (more: object = {}) => ({
  ...{
    code: 'FF_ATTACHMENT_UNREADABLE' as const,
    reason: 'a.png returned status 404.',
    file: 'a',
    since: NOW,
    tries: 1,
  },
  ...more,
});
const item = (more: Partial<KnownItem> = {}): KnownItem => ({
  ...{
    cmsId: 7,
    delivered: {},
    deliveredAttachments: {},
    madeByCms: {},
    editorState: {},
    attributesBeforeMark: null,
    isAdopted: false,
    base: {},
  },
  ...more,
});
const failed = (file: string, error = missing, attribute = 'image') => ({ attribute, file, error });

describe('What a record is delivered without', () => {
  test.each<[string, Parameters<typeof withoutFiles>[0], KnownItem | undefined, ReturnType<typeof withoutFiles>]>([
    ['nothing', { kept: [], failures: [] }, item(), undefined],
    [
      'a file that could not be read',
      { kept: [], failures: [failed('a')] },
      undefined,
      { files: { image: entry() }, retryAfterMs: 0 },
    ],
    [
      'the same file once more',
      { kept: [], failures: [failed('a')] },
      item({ incomplete: { files: { image: entry({ since: 5, tries: 4 }) }, retryAfterMs: 0 } }),
      { files: { image: entry({ since: 5, tries: 5 }) }, retryAfterMs: 80 * MINUTE },
    ],
    [
      'another file, from the beginning',
      { kept: [], failures: [failed('b')] },
      item({ incomplete: { files: { image: entry({ since: 5, tries: 4 }) }, retryAfterMs: HOUR } }),
      { files: { image: entry({ file: 'b' }) }, retryAfterMs: 0 },
    ],
    [
      'a file in place of which the item keeps an earlier one',
      { kept: [], failures: [failed('a')] },
      item({ delivered: { image: { src: '/old.png' } } }),
      { files: { image: entry({ keepsEarlier: true }) }, retryAfterMs: 0 },
    ],
    [
      'a file that was not to be tried yet',
      { kept: ['image'], failures: [] },
      item({ incomplete: { files: { image: entry({ tries: 3 }) }, retryAfterMs: HOUR } }),
      { files: { image: entry({ tries: 3 }) }, retryAfterMs: HOUR },
    ],
    [
      'a file whose server is away',
      { kept: [], failures: [failed('a', away)] },
      item({ incomplete: { files: { image: entry({ tries: 9 }) }, retryAfterMs: 0 } }),
      { files: { image: entry({ reason: away.message, tries: 10 }) }, retryAfterMs: HOUR },
    ],
    [
      'two files, of which the first that is due decides',
      { kept: ['logo'], failures: [failed('a')] },
      item({ incomplete: { files: { image: entry({ tries: 9 }), logo: entry({ tries: 2 }) }, retryAfterMs: MINUTE } }),
      { files: { image: entry({ tries: 10 }), logo: entry({ tries: 2 }) }, retryAfterMs: MINUTE },
    ],
  ])('%s', (_, tried, before, expected) => {
    expect(withoutFiles(tried, before, context)).toEqual(expected);
  });

  test('An upload that the CMS could not take now waits no longer than a file whose server is away', () => {
    const before = item({ incomplete: { files: { image: entry({ tries: 19 }) }, retryAfterMs: 0 } });
    expect(withoutFiles({ kept: [], failures: [failed('a', busyCms)] }, before, context)?.retryAfterMs).toBe(HOUR);
  });
});
