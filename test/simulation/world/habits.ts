import type { SimulatedResource } from '../plan/resources.ts';
import { EXTERNAL_ID } from '../plan/settings.ts';
import type { Answer, Asked, SimulatedCms } from './cms.ts';
import { type Item, itemOf } from './items.ts';

/** How a CMS treats requests for a while, besides what the network does to them. */
export interface Habit {
  is: HabitName;
  /** Every which record it meets, by number. */
  of: number;
  /** What it meets of a CMS that refuses. */
  methods?: string[];
  status?: number;
}

/** What the CMS would do by itself, and what a request is about. */
interface Case {
  asked: Asked;
  isList: boolean;
  habit: Habit;
  /** The item that is asked for. */
  item?: Item;
  resource: SimulatedResource;
  /** What the CMS has had before. */
  sent: Set<string>;
  answerWithOwn(): Answer | undefined;
  apply(asked?: Asked): Answer;
}

/** Returns the answer; undefined: the habit does not matter here. */
type Rule = (request: Case) => Answer | undefined;

/** What a habit does to the requests of records that it meets. */
const rules = {
  /** A PATCH is answered with the item as it was. */
  keepsOld: ({ asked, apply }) =>
    asked.method === 'PATCH' ? apply({ ...asked, method: 'GET', body: undefined }) : undefined,
  dropsText: ({ asked, resource, apply }) => (isWrite(asked) ? apply(without(asked, resource.text)) : undefined),
  takesTextOnCreate: ({ asked, resource, apply }) =>
    asked.method === 'PATCH' ? apply(without(asked, resource.text)) : undefined,
  /** What a PATCH does not send is lost, except what an item needs. */
  replaces: ({ asked, item, resource, apply }) => {
    if (asked.method !== 'PATCH' || !item) return undefined;
    const needed = Object.fromEntries(resource.needed.map((name) => [name, item[name]]));
    return apply({ ...asked, method: 'PUT', body: { ...needed, ...asked.body } });
  },
  /** A create is answered with an item that is not kept. */
  forgetsCreates: ({ asked, apply }) => {
    if (asked.method !== 'POST') return undefined;
    const created = apply();
    if (created.status === 201)
      apply({ method: 'DELETE', path: `${asked.path}/${JSON.parse(created.text).id}`, query: '' });
    return created;
  },
  hidesItems: ({ isList, asked }) => (isList || asked.method === 'POST' ? undefined : error(404)),
  hidesAll: ({ isList, asked, apply }) => {
    if (asked.method === 'POST') return undefined;
    return isList ? emptied(apply()) : error(404);
  },
  failsCreates: ({ asked, apply }) => {
    if (asked.method !== 'POST') return undefined;
    apply();
    return error(500);
  },
  /** A create is applied, and a gateway has given up on it. */
  losesCreates: ({ asked, apply }) => {
    if (asked.method !== 'POST') return undefined;
    apply();
    return GATEWAY_TIMEOUT;
  },
  losesUpdates: ({ asked, apply }) => {
    if (asked.method !== 'PATCH') return undefined;
    apply();
    return GATEWAY_TIMEOUT;
  },
  /** An update is applied and answered with an error, and refused when it comes again. */
  refusesRepeats: ({ asked, sent, apply }) => {
    if (asked.method !== 'PATCH') return undefined;
    const name = `${asked.path} ${JSON.stringify(asked.body)}`;
    if (sent.has(name)) return error(422);
    sent.add(name);
    apply();
    return error(500);
  },
  /** A delete is answered as if it had been applied. */
  keepsDeleted: ({ asked, habit: { status = 204 } }) =>
    asked.method === 'DELETE' ? (status === 204 ? { status, text: '' } : error(status)) : undefined,
  /** A PATCH loses what editors have noted, and nothing else. */
  dropsNote: ({ asked, item, apply }) => {
    if (asked.method !== 'PATCH' || !item || item.note === undefined) return undefined;
    const { id, note, ...others } = item;
    return apply({ ...asked, method: 'PUT', body: { ...others, ...asked.body } });
  },
  /** A create is answered with an item that editors have added before, and nothing is created. */
  answersWithOthers: ({ asked, answerWithOwn }) => (asked.method === 'POST' ? answerWithOwn() : undefined),
  /** Lists show no names; a single item does. */
  hidesNames: ({ isList, resource, apply }) => (isList ? withoutInList(apply(), resource.name) : undefined),
  /** External ids are cut. */
  cutsExternalIds: ({ asked, apply }) => {
    const id = (asked.body as Record<string, unknown> | undefined)?.[EXTERNAL_ID];
    if (!isWrite(asked) || typeof id !== 'string') return undefined;
    return apply({ ...asked, body: { ...asked.body, [EXTERNAL_ID]: id.slice(0, SHORTEST_ID) } });
  },
  refuses: ({ asked, habit: { methods = [], status = 422 } }) =>
    methods.includes(asked.method) ? error(status) : undefined,
} satisfies Record<string, Rule>;

export type HabitName = keyof typeof rules;

/** The habits that the CMS has at a moment. */
export type Habits = ReturnType<typeof createHabits>;

/**
 * @param editors `forget` is called if the CMS itself has removed what editors wrote, `answerWithOwn` returns an item of theirs
 */
export function createHabits(
  cms: () => SimulatedCms,
  resource: SimulatedResource,
  { forget, answerWithOwn }: { forget(id: number): void; answerWithOwn(): Answer | undefined },
) {
  const habits: Habit[] = [];
  const sent = new Set<string>();
  return { begin, end, endAll: () => void habits.splice(0), answer };

  function begin(habit: Habit): void {
    habits.push(habit);
  }

  function end(habit: Habit): void {
    const nth = habits.indexOf(habit);
    if (nth >= 0) habits.splice(nth, 1);
  }

  /** Applies a request as the CMS is used to. @returns with the habit, if one mattered */
  function answer(asked: Asked, lagMs: number): Answer & { habit?: HabitName } {
    if (habits.length > 0 && asked.path.startsWith(resource.path)) {
      const id = Number(/\/(\d+)$/.exec(asked.path)?.[1]);
      const item = id ? itemOf(cms(), id) : undefined;
      const named = item ?? (asked.body as Partial<Item> | undefined);
      const number = Number(/\d+/.exec(String(named?.[resource.name]))?.[0] ?? 0);
      const isList = asked.method === 'GET' && !id;
      for (const habit of habits) {
        if (!isList && number % habit.of !== 0) continue;
        const lag = habit.is === 'failsCreates' ? LATE_MS : lagMs;
        const apply = (instead = asked) => cms().answer(instead, lag);
        const answered = rules[habit.is]({ asked, isList, habit, item, resource, sent, answerWithOwn, apply });
        if (!answered) continue;
        if (habit.is === 'replaces' && id) forget(id);
        return { ...answered, habit: habit.is };
      }
    }
    return cms().answer(asked, lagMs);
  }
}

/** How late lists are for creates that end in an error: later than a create without an answer is looked up today. */
const LATE_MS = 4_000;

const GATEWAY_TIMEOUT: Answer = {
  status: 504,
  headers: { 'content-type': 'text/html' },
  text: '<html><title>Gateway Timeout</title></html>',
};

/** As many characters of an external id as a CMS that cuts it keeps: no more than the name of the sync. */
const SHORTEST_ID = 6;

/** Whether the CMS has cut the external id of an item: others may have the same. */
export function isCut(item: Item): boolean {
  return String(item[EXTERNAL_ID] ?? '').length === SHORTEST_ID;
}

function isWrite({ method }: Asked): boolean {
  return method === 'POST' || method === 'PATCH';
}

function without(asked: Asked, attribute: string): Asked {
  const { [attribute]: _, ...body } = (asked.body ?? {}) as Record<string, unknown>;
  return { ...asked, body };
}

function error(status: number): Answer {
  return { status, text: JSON.stringify({ errors: [{ code: status, title: 'Refused', detail: 'by a habit' }] }) };
}

/** A list whose items lack an attribute. */
function withoutInList({ text, ...answer }: Answer, attribute: string): Answer {
  const { data, ...list } = JSON.parse(text);
  const shown = data?.map(({ [attribute]: _, ...item }: Record<string, unknown>) => item);
  return { ...answer, text: JSON.stringify({ ...list, data: shown }) };
}

/** A list without items that says that it is whole. */
export function emptied({ text }: Answer): Answer {
  const list = JSON.parse(text);
  const pagination = { ...list.pagination, count: 0, total: 0, totalPages: 0, links: {} };
  return { status: 200, text: JSON.stringify({ data: [], pagination, totalItems: 0 }) };
}
