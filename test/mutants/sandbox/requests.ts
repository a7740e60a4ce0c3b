import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in what every request and every error have in common. */
export const requestMutants: Mutant[] = [
  ...inFile('src/sandbox/http/headers.ts', [
    {
      name: 'user-agent-unchecked',
      rule: 'Every request carries a User-Agent header',
      before: "!request.headers['user-agent']?.trim()",
      after: 'false',
    },
    {
      name: 'accept-unchecked',
      rule: 'Every request carries the Accept header with the value application/json',
      before: "mediaType(request.headers.accept) !== 'application/json'",
      after: 'false',
    },
    {
      name: 'user-agent-unchecked-on-writes',
      rule: 'Every request carries a User-Agent header',
      before: "if (!request.headers['user-agent']?.trim())",
      after: "if (request.method === 'GET' && !request.headers['user-agent']?.trim())",
    },
    {
      name: 'accept-unchecked-on-writes',
      rule: 'Every request carries the Accept header with the value application/json',
      before: "if (mediaType(request.headers.accept) !== 'application/json')",
      after: "if (request.method === 'GET' && mediaType(request.headers.accept) !== 'application/json')",
    },
    {
      name: 'token-unchecked-on-writes',
      rule: 'Every request is authenticated with an API token',
      before: 'if (given !== undefined && isSameSecret(given, token)) return;',
      after: "if (request.method !== 'GET' || isSameSecret(given ?? '', token)) return;",
    },
    {
      name: 'token-unchecked',
      rule: 'A missing or invalid token yields status 401',
      before: 'isSameSecret(given, token)',
      after: 'true',
    },
    {
      name: 'token-with-a-suffix',
      rule: 'A missing or invalid token yields status 401',
      before: 'isSameSecret(given, token)',
      after: 'given.startsWith(token)',
    },
    {
      name: 'token-of-any-scheme',
      rule: 'Authorization is the word Bearer, a space, then the token',
      before: '/^Bearer (.+)$/',
      after: '/^\\S+ (.+)$/',
    },
    {
      name: 'token-without-scheme',
      rule: 'Authorization is the word Bearer, a space, then the token',
      before: '/^Bearer (.+)$/',
      after: '/^(?:Bearer )?(.+)$/',
    },
    {
      name: 'invalid-token-is-403',
      rule: 'A missing or invalid token yields status 401',
      before: "new ApiError(401, 'The API token",
      after: "new ApiError(403, 'The API token",
    },
    {
      name: 'wrong-media-type-is-400',
      rule: '415: Unsupported Media Type',
      before: 'new ApiError(415, `The Content-Type',
      after: 'new ApiError(400, `The Content-Type',
    },
  ]),
  ...inFile('src/sandbox/http/errors.ts', [
    {
      name: 'errors-under-another-key',
      rule: 'An error response has errors, an array of objects',
      before: 'return { errors: details.map(',
      after: 'return { error: details.map(',
    },
    {
      name: 'only-the-first-error',
      rule: 'An error response has errors, an array of objects',
      before: 'return { errors: details.map(',
      after: 'return { errors: details.slice(0, 1).map(',
    },
    {
      name: 'error-without-code',
      rule: 'errors[].code is the HTTP status code',
      before: 'code: status, title',
      after: 'title',
    },
    {
      name: 'error-code-as-text',
      rule: 'errors[].code is an integer',
      before: 'code: status, title',
      after: 'code: String(status), title',
    },
    {
      name: 'error-without-status-name',
      rule: 'errors[].title is the status name',
      before: 'title, detail })',
      after: "title: 'Error', detail })",
    },
    {
      name: 'error-without-detail',
      rule: 'errors[].detail is a readable message',
      before: 'title, detail })',
      after: 'title })',
    },
    {
      name: 'unknown-path-is-400',
      rule: '404: Not Found',
      before: "new ApiError(404, 'There is nothing at this path.')",
      after: "new ApiError(400, 'There is nothing at this path.')",
    },
  ]),
  ...inFile('src/sandbox/resource-routes.ts', [
    {
      name: 'content-type-unchecked',
      rule: 'Request bodies are sent with Content-Type application/json',
      before: "  checkContentType(request, 'application/json');\n",
      after: '',
    },
    {
      name: 'body-of-any-shape',
      rule: 'Request bodies are JSON objects',
      before: "if (!body) throw new ApiError(400, 'The body must be a JSON object.');",
      after: 'if (!body) return {};',
    },
  ]),
];
