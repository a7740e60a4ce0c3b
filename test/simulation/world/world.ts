import type { Chance } from './chance.ts';

/** Something that happens at a moment. */
interface Event {
  at: number;
  /** Of events at the same moment, the first one that was planned happens first. */
  order: number;
  happen?: () => void;
}

/** A run with more of them goes round in circles. */
const MOST_EVENTS = 300_000;

/** Time and what happens in it. */
export type World = ReturnType<typeof createWorld>;

/** Lets everything run that waits for nothing but promises: Node takes the next tick when no promise is left. */
const settle = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** Creates a world. Its time, in ms, passes only from one event to the next. */
export function createWorld(chance: Chance, beginsAt = 0) {
  const events: Event[] = [];
  let now = beginsAt;
  let order = 0;
  let happened = 0;
  const story: string[] = [];
  return {
    chance,
    now: () => now,
    at,
    in: (ms: number, happen: () => void) => at(now + ms, happen),
    runUntil,
    tell,
    story,
  };

  /** Plans an event. @returns a function that cancels it */
  function at(moment: number, happen: () => void): () => void {
    const event: Event = { at: Math.max(moment, now), order, happen };
    order += 1;
    push(events, event);
    return () => {
      event.happen = undefined;
    };
  }

  /**
   * Lets time pass until a condition holds after an event.
   * @returns false if nothing happens any more, or not within the time
   */
  async function runUntil(isDone: () => boolean, longestMs: number): Promise<boolean> {
    const end = now + longestMs;
    await settle();
    while (!isDone()) {
      if (happened > MOST_EVENTS) return false;
      happened += 1;
      const [next] = events;
      if (!next || next.at > end) return false;
      pop(events);
      if (!next.happen) continue;
      now = next.at;
      next.happen();
      await settle();
    }
    return true;
  }

  function tell(text: () => string): void {
    story.push(`${(now / 1000).toFixed(3).padStart(10)} s  ${text()}`);
  }
}

/** A binary heap: the earliest event is the first. */
function push(heap: Event[], event: Event): void {
  let index = heap.push(event) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (!isEarlier(event, heap[parent] as Event)) break;
    heap[index] = heap[parent] as Event;
    index = parent;
  }
  heap[index] = event;
}

function pop(heap: Event[]): Event | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!first || !last || first === last) return first;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isEarlier(heap[child + 1] as Event, heap[child] as Event)) child += 1;
    if (!isEarlier(heap[child] as Event, last)) break;
    heap[index] = heap[child] as Event;
    index = child;
  }
  heap[index] = last;
  return first;
}

function isEarlier(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
