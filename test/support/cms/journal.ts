import { z } from 'zod';
import type { Exchange } from './exchange.ts';

/** Which exchanges to return; all conditions must hold. */
export interface JournalFilter {
  method?: string | undefined;
  /** Start of the path: "/api/v1/calendar/events". */
  path?: string | undefined;
  /** One status, or a class of statuses. 0: the connection broke before the response began. */
  status?: number | '2xx' | '3xx' | '4xx' | '5xx' | undefined;
  /** Exchanges that changed one item: "events/12". */
  item?: string | undefined;
  /** Whether the exchanges changed something. */
  changed?: boolean | undefined;
  /** Exchanges that arrived after the one with this id. */
  after?: number | undefined;
  /** Only this many of the latest exchanges. */
  limit?: number | undefined;
}

/** The filter in the form of a query string. */
export const journalQuery: z.ZodType<JournalFilter> = z.strictObject({
  method: z.string().toUpperCase().optional(),
  path: z.string().optional(),
  status: z.union([z.enum(['2xx', '3xx', '4xx', '5xx']), z.coerce.number().int().min(0).max(599)]).optional(),
  item: z
    .string()
    .regex(/^(events|accounts)\/\d+$/, 'must be events/ID or accounts/ID')
    .optional(),
  changed: z.stringbool({ truthy: ['true'], falsy: ['false'] }).optional(),
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).optional(),
});

const mostExchanges = 1000;
/** Over all bodies; an item before and after a change is about as long as the response to it. */
const mostCharacters = 8 * 1024 * 1024;

export type Journal = ReturnType<typeof exchangeJournal>;

/** Keeps the latest exchanges in memory: 1,000 at most, fewer if their bodies are long. */
export function exchangeJournal() {
  let kept: Exchange[] = [];
  let characters = 0;

  return {
    keep(exchange: Exchange): void {
      kept.push(exchange);
      characters += lengthOf(exchange);
      while (kept.length > mostExchanges || (characters > mostCharacters && kept.length > 1)) {
        const [oldest] = kept.splice(0, 1);
        if (oldest) characters -= lengthOf(oldest);
      }
    },
    /** Returns exchanges in the order in which they arrived. */
    read(filter: JournalFilter = {}): Exchange[] {
      const chosen = kept.filter((exchange) => isChosen(exchange, filter)).toSorted((one, other) => one.id - other.id);
      return filter.limit === undefined ? chosen : chosen.slice(-filter.limit);
    },
    clear(): void {
      kept = [];
      characters = 0;
    },
  };
}

function isChosen(exchange: Exchange, filter: JournalFilter): boolean {
  const { method, path, status, item, changed, after } = filter;
  const { change } = exchange;
  if (method !== undefined && exchange.method !== method.toUpperCase()) return false;
  if (path !== undefined && !exchange.path.startsWith(path)) return false;
  if (typeof status === 'number' && exchange.status !== status) return false;
  if (typeof status === 'string' && Math.floor(exchange.status / 100) !== Number(status[0])) return false;
  if (item !== undefined && item !== `${change?.resource}/${change?.id}`) return false;
  if (changed !== undefined && changed !== (change !== undefined)) return false;
  return after === undefined || exchange.id > after;
}

function lengthOf({ requestBody, responseBody }: Exchange): number {
  return requestBody.length + responseBody.length;
}
