import type { SandboxSwitches } from '../../../../src/sandbox/options.ts';
import type { Exchange } from '../../../support/cms/exchange.ts';
import { operationOf, type RequestFacts, requestMisfits, valueMisfits } from './described.ts';

/** Statuses of the sandbox that no response of the description has, and why. */
const beyondDescription = new Map([
  [405, 'a path that does not have the method: RFC 9110, 15.5.6'],
  [413, 'a body that is too large: the API does not show its limits'],
  [429, 'the limit on requests: the API does not show one'],
]);

/** Methods that HTTP adds to those of the description: HEAD to each GET, OPTIONS for scripts of other sites. */
const methodsOfHttp = new Set(['HEAD', 'OPTIONS']);

/** Returns where an exchange departs from the description. One that a fault struck may. */
export function exchangeProblems(exchange: Exchange, switches: SandboxSwitches): string[] {
  if (exchange.faults.length > 0 || !exchange.complete || methodsOfHttp.has(exchange.method)) return [];
  const problems = [...responseProblems(exchange, switches), ...requestProblems(exchange)];
  return problems.map((problem) => `${exchange.method} ${exchange.path} ${exchange.status}: ${problem}`);
}

function responseProblems(exchange: Exchange, switches: SandboxSwitches): string[] {
  const { status, responseHeaders, responseBody } = exchange;
  if (status >= 500) return ['a failure without a fault'];
  const described = operationOf(exchange)?.responses;
  const response = described?.[status] ?? (status < 300 ? described?.['2XX'] : undefined);
  if (!response && status < 400) return ['a response that is not described'];
  const isChosen = status === switches.missingHeader || status === switches.overLimit;
  if (!response && described && !beyondDescription.has(status) && !isChosen) {
    return ['a status that is not described'];
  }
  const schema = response ? response.content?.['application/json']?.schema : '#/components/schemas/Errors';
  if (!schema) return responseBody === '' ? [] : ['a body that is not described'];
  if (!responseHeaders['content-type']?.startsWith('application/json')) return ['a body that is not declared as JSON'];
  // These switches are there to depart from the description: ids and counts as text, and null for no text.
  const isLenient = switches.numbersAsStrings || switches.cleared === 'null';
  const misfits = valueMisfits(schema, JSON.parse(responseBody), isLenient);
  const codes = status < 400 ? [] : (JSON.parse(responseBody).errors as Array<{ code: number }>);
  return [...misfits, ...(codes.every(({ code }) => code === status) ? [] : ['errors[].code is not the status'])];
}

function requestProblems(exchange: Exchange): string[] {
  const { status, requestHeaders: headers, requestBody: body } = exchange;
  const operation = operationOf(exchange);
  if (!operation || (status >= 400 && status < 500)) return [];
  const facts: RequestFacts = { path: exchange.path, headers, body };
  const misfits = requestMisfits(operation, facts);
  return misfits.map((misfit) => `accepted, though ${misfit}`);
}
