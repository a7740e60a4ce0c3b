import { describe, expect, test } from 'vitest';
import { CmsError, type Failure, failureOfStatus, failureTable } from '../../../src/cms/errors.ts';
import { CodedError } from '../../../src/core/errors.ts';

describe('Failures by status', () => {
  test.each([
    [301, 'redirect'],
    [303, 'seeOther'],
    [304, 'status'],
    [308, 'redirect'],
    [400, 'badRequest'],
    [401, 'unauthorized'],
    [403, 'status'],
    [404, 'notFound'],
    [408, 'requestTimeout'],
    [409, 'status'],
    [410, 'notFound'],
    [415, 'unsupportedMedia'],
    [422, 'unprocessable'],
    [429, 'rateLimited'],
    [500, 'server'],
    [502, 'server'],
    [503, 'server'],
    [599, 'server'],
  ] as const)('The status %d is the failure %s', (status, failure) => {
    expect(failureOfStatus(status)).toBe(failure);
  });
});

describe('All failures', () => {
  const expected: Record<Failure, [code: string, kind: string, mayBeApplied: boolean]> = {
    unreachable: ['FF_CMS_UNREACHABLE', 'retryable', false],
    unsent: ['FF_CMS_ABORTED', 'retryable', false],
    connection: ['FF_CMS_CONNECTION', 'retryable', true],
    timeout: ['FF_CMS_TIMEOUT', 'retryable', true],
    aborted: ['FF_CMS_ABORTED', 'retryable', true],
    response: ['FF_CMS_RESPONSE', 'retryable', true],
    otherItem: ['FF_CMS_FOREIGN', 'retryable', true],
    redirect: ['FF_CMS_REDIRECT', 'stops', false],
    seeOther: ['FF_CMS_REDIRECT', 'stops', true],
    badRequest: ['FF_CMS_BAD_REQUEST', 'permanent', false],
    unauthorized: ['FF_CMS_UNAUTHORIZED', 'stops', false],
    notFound: ['FF_CMS_NOT_FOUND', 'permanent', false],
    pageNotFound: ['FF_CMS_RESPONSE', 'retryable', false],
    requestTimeout: ['FF_CMS_TIMEOUT', 'retryable', false],
    unsupportedMedia: ['FF_CMS_UNSUPPORTED_MEDIA', 'permanent', false],
    unprocessable: ['FF_CMS_UNPROCESSABLE', 'permanent', false],
    rateLimited: ['FF_CMS_RATE_LIMITED', 'retryable', false],
    server: ['FF_CMS_SERVER', 'retryable', true],
    status: ['FF_CMS_STATUS', 'permanent', false],
  };

  test.each(Object.entries(expected))(
    'The failure %s has a code, a kind and a possible effect',
    (failure, [code, kind, mayBeApplied]) => {
      const error = new CmsError(failure as Failure, 'message', { method: 'POST', status: 1, retryAfterMs: 2 });
      expect(error).toBeInstanceOf(CmsError);
      expect(error).toBeInstanceOf(CodedError);
      expect(error).toMatchObject({ code, kind, mayBeApplied, ambiguous: mayBeApplied, status: 1, retryAfterMs: 2 });
      expect(error.name).toBe('CmsError');
    },
  );

  test('The expected failures are the whole table', () => {
    expect(Object.keys(expected).sort()).toEqual(Object.keys(failureTable).sort());
  });

  test('Only a POST can be ambiguous', () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const error = new CmsError('timeout', 'message', { method });
      expect(error).toMatchObject({ mayBeApplied: true, ambiguous: false });
    }
  });
});
