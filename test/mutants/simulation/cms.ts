import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in the client of the CMS. */
export const cmsMutants: Mutant[] = [
  ...inFile('src/cms/response.ts', [
    {
      name: 'page-not-found-believed',
      rule: 'A web page with status 404 says nothing about an item',
      before: "failure === 'notFound' && !errors ? 'pageNotFound' : failure",
      after: 'failure',
    },
    {
      name: 'retry-after-read-as-ms',
      rule: 'Retry-After is in seconds (RFC 9110, 10.2.3)',
      before: "retryAfterMs(headerOf(response, 'retry-after'), now)",
      after: "headerOf(response, 'retry-after') && Number(headerOf(response, 'retry-after'))",
    },
  ]),
  ...inFile('src/cms/retry.ts', [
    {
      name: 'post-repeated-by-the-client',
      rule: 'A POST is repeated only if it never left this machine',
      before: "if (method === 'POST' && error.code !== 'FF_CMS_UNREACHABLE') return undefined;",
      after: '',
    },
    {
      name: 'doubt-forgotten-when-a-repeat-fails',
      rule: 'A repeat that is refused does not take back what an earlier try may have done',
      before: 'error.mayBeApplied = true;',
      after: '',
    },
  ]),
  ...inFile('src/cms/errors.ts', [
    {
      name: 'timeout-taken-as-unsent',
      rule: 'A request without an answer may have been applied',
      before: "timeout: { code: 'FF_CMS_TIMEOUT', kind: 'retryable', mayBeApplied: true",
      after: "timeout: { code: 'FF_CMS_TIMEOUT', kind: 'retryable', mayBeApplied: false",
    },
    {
      name: 'broken-connection-taken-as-unsent',
      rule: 'A request whose connection broke may have been applied',
      before: "connection: { code: 'FF_CMS_CONNECTION', kind: 'retryable', mayBeApplied: true",
      after: "connection: { code: 'FF_CMS_CONNECTION', kind: 'retryable', mayBeApplied: false",
    },
    {
      name: 'server-error-is-final',
      rule: 'A record that failed because of the server is delivered later',
      before: "server: { code: 'FF_CMS_SERVER', kind: 'retryable'",
      after: "server: { code: 'FF_CMS_SERVER', kind: 'permanent'",
    },
    {
      name: '429-does-not-pause',
      rule: 'A CMS that answers 429 gets a pause',
      before: "kind: 'retryable', mayBeApplied: false, health: 'busy'",
      after: "kind: 'retryable', mayBeApplied: false, health: 'well'",
    },
  ]),
  ...inFile('src/cms/pages.ts', [
    {
      name: 'first-page-only',
      rule: 'A list is read to its end',
      before: 'step = nextStep(page, step);',
      after: 'step = undefined;',
    },
  ]),
];
