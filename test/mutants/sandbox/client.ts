import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in how the client reads answers. */
export const clientMutants: Mutant[] = [
  ...inFile('src/cms/errors.ts', [
    {
      name: 'see-other-taken-as-unsent',
      rule: '303 is the usual redirect after a POST that was applied (RFC 9110, 15.4.4)',
      before: "303: 'seeOther'",
      after: "303: 'redirect'",
    },
  ]),
  ...inFile('src/cms/response.ts', [
    {
      name: 'retry-after-only-in-seconds',
      rule: 'Retry-After may be an HTTP date (RFC 9110, 10.2.3)',
      before: "retryAfterMs(headerOf(response, 'retry-after'), now)",
      after: "retryAfterMs(/^\\d+$/.exec(headerOf(response, 'retry-after') ?? '')?.[0], now)",
    },
  ]),
  ...inFile('src/cms/pages.ts', [
    {
      name: 'page-size-of-the-request-kept',
      rule: 'pagination.perPage: the size of a set, which may be smaller than the limit',
      before: 'stepSize(page, link?.limit) ?? limit',
      after: 'limit',
    },
    {
      name: 'size-of-the-next-link-ignored',
      rule: 'links: such as ?page=<n>&limit=<n>',
      before: '[linked, page.pagination?.perPage]',
      after: '[page.pagination?.perPage]',
    },
    {
      name: 'count-that-shrinks-believed',
      rule: 'Items move to earlier pages if others are deleted while a list is read',
      before: 'shrank ||= isShorter(page, last);',
      after: 'shrank ||= false;',
    },
  ]),
];
