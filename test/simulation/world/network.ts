import { networkError, TimeLimitError } from '../../../src/cms/network.ts';
import type { CmsRequest } from '../../../src/cms/request.ts';
import type { CmsResponse } from '../../../src/cms/response.ts';
import type { Transport, Trip } from '../../../src/cms/transport.ts';
import { type Answer, type Asked, type SentFile, type SimulatedCms, UPLOADS } from './cms.ts';
import { emptied, type Habits } from './habits.ts';
import type { Machine } from './machine.ts';
import { CALM, type Weather } from './weather.ts';
import type { World } from './world.ts';

/** A request that the CMS has applied, as its log has it. */
export interface Applied extends Asked {
  by: string;
  status: number;
  at: number;
  /** Whether its sender learned the result. */
  answer: string;
}

/** What looks at each request. */
export interface NetworkWatch {
  onSend(now: number, inFlight: number): void;
  /** @param others writes that have not arrived yet */
  onWriteSent(request: Asked, holder: string, others: ReadonlySet<Asked>): void;
  /** @param cms as it is before the request */
  onWrite(request: Applied, cms: SimulatedCms): void;
  /** @param atOnce uploads of the same file that the process is waiting for */
  onUpload(file: SentFile, by: string, atOnce: number): void;
}

/** The network between the processes and the CMS. */
export type Network = ReturnType<typeof createNetwork>;

export function createNetwork(world: World, cms: () => SimulatedCms, habits: Habits) {
  let watch: NetworkWatch | undefined;
  const { chance } = world;
  let weather = CALM;
  let maySeemEmpty = true;
  const inFlight = new Map<Asked, Machine>();
  const writes = new Set<Asked>();
  const log: Applied[] = [];
  return {
    transportOf,
    log,
    watchWith(next: NetworkWatch) {
      watch = next;
    },
    /** From now on, no list seems to be empty. */
    stopLying() {
      maySeemEmpty = false;
    },
    setWeather(next: Weather) {
      // Lists that are empty, whole and empty again would pass for the truth.
      if (weather.emptyLists && !next.emptyLists) maySeemEmpty = false;
      weather = next;
    },
  };

  function transportOf(machine: Machine, timeoutMs: number): Transport {
    return { receive, close: async () => {} };

    async function receive(request: CmsRequest<unknown>, trip: Trip): Promise<CmsResponse> {
      const body = request.form ? await fileOf(request.form.chunks(() => {})) : request.body;
      const asked: Asked = {
        method: request.method,
        path: `/${request.path}`,
        query: request.query?.toString() ?? '',
        body: body && JSON.parse(JSON.stringify(body)),
      };
      await machine.step(chance.real(), () => {
        trip.onStart();
        inFlight.set(asked, machine);
        watch?.onSend(world.now(), [...inFlight.values()].filter((sender) => sender.isAlive()).length);
      });
      const { promise, resolve, reject } = Promise.withResolvers<CmsResponse>();
      const fail = (cause: unknown) => reject(networkError(request, cause, true));
      const limitMs = request.timeoutMs ?? timeoutMs;
      const limit = machine.runtime.after(limitMs, () => fail(new TimeLimitError(`no progress within ${limitMs} ms`)));
      const abort = () => fail(request.signal?.reason);
      request.signal?.addEventListener('abort', abort, { once: true });
      travel(asked, machine, {
        arrive: ({ status, headers = {}, text }) =>
          resolve({ status, headers: { 'content-type': 'application/json', ...headers }, text }),
        breakOff: () => fail(new Error('the connection was reset')),
      });
      try {
        return await promise;
      } finally {
        inFlight.delete(asked);
        limit.cancel();
        request.signal?.removeEventListener('abort', abort);
      }
    }
  }

  /** Takes a request to the CMS, and its answer back. What the sender does meanwhile does not stop it. */
  function travel(asked: Asked, machine: Machine, sender: { arrive(answer: Answer): void; breakOff(): void }): void {
    const fate = drawFate(asked);
    const way = () => chance.real() * weather.wayMs;
    const later = (ms: number, happen: () => void) => world.in(ms, () => machine.resume(happen));
    const there = fate === 'late' || fate === 'unfinished' ? chance.real() * weather.latestMs : way();
    const entry = (status: number, answer: string) => {
      log.push({ ...asked, by: machine.name, status, at: world.now(), answer });
      world.tell(
        () =>
          `${machine.name}: ${asked.method} ${asked.path}${asked.query && `?${asked.query}`} ${asked.body ? `${JSON.stringify(asked.body)} ` : ''}→ ${status} (${answer})`,
      );
    };
    // Several processes may upload the same file.
    if (asked.path === UPLOADS) watch?.onUpload(asked.body as SentFile, machine.name, uploadsAtOnce(asked, machine));
    else if (asked.method !== 'GET') {
      watch?.onWriteSent(asked, machine.holder, writes);
      writes.add(asked);
    }
    if (fate === 'unfinished') giveUp(there / 2);
    world.in(there, () => {
      writes.delete(asked);
      const refused = refusalOf(fate);
      if (fate === 'lostBefore') return later(way(), sender.breakOff);
      if (refused) {
        entry(refused.status, fate);
        return later(way(), () => sender.arrive(refused));
      }
      if (asked.method !== 'GET' && asked.method !== 'POST') {
        watch?.onWrite({ ...asked, by: machine.name, at: world.now(), status: 0, answer: fate }, cms());
      }
      const isEmptied = seemsEmpty(asked);
      const { habit, ...whole } = habits.answer(asked, weather.listLagMs);
      const answer = isEmptied && !habit ? emptied(whole) : whole;
      entry(answer.status, habit ?? (isEmptied ? 'emptyList' : fate));
      if (fate === 'silent' || fate === 'unfinished') return;
      if (fate === 'lostAfter') return later(way(), sender.breakOff);
      // Drawn now, as the lag of the lists was: the weather may change on the way back.
      const error = gatewayError();
      if (fate === 'errorAfter') return later(way(), () => sender.arrive(error));
      later(way(), () => sender.arrive(answer));
      if (fate === 'twice') later(way(), () => sender.arrive(answer));
    });

    function giveUp(afterMs: number): void {
      const fail = chance.chance(0.5) ? sender.breakOff : () => sender.arrive(page(504));
      later(afterMs, fail);
    }
  }

  function uploadsAtOnce({ body }: Asked, by: Machine): number {
    const file = JSON.stringify(body);
    const uploads = [...inFlight].filter(([{ path }, sender]) => path === UPLOADS && sender === by);
    return uploads.filter(([asked]) => JSON.stringify(asked.body) === file).length;
  }

  /** At a time, all lists of the CMS are empty, or none. */
  function seemsEmpty({ method, path }: Asked): boolean {
    return weather.emptyLists && maySeemEmpty && method === 'GET' && !/\d$/.test(path);
  }

  function drawFate({ method }: Asked): Fate {
    let draw = chance.real();
    for (const fate of FATES) {
      draw -= weather[fate];
      if (draw < 0) return fate === 'unfinished' && method !== 'POST' ? 'applied' : fate;
    }
    return 'applied';
  }

  function refusalOf(fate: Fate): Answer | undefined {
    if (fate === 'errorBefore') return gatewayError();
    if (fate === 'busy')
      return { status: 429, headers: { 'retry-after': String(chance.between(1, 5)) }, text: '{"errors":[]}' };
    if (fate === 'html') return page(chance.pick([200, 404, 503]));
    return undefined;
  }

  /** What a CMS answers with an error is searched for at once: if it has applied it, its lists must show it. */
  function gatewayError(): Answer {
    return chance.chance(0.5) && weather.listLagMs === 0
      ? { status: 500, text: '{"errors":[{"code":500,"title":"Error","detail":"x"}]}' }
      : page(502);
  }
}

const FATES = [
  'late',
  'lostBefore',
  'lostAfter',
  'silent',
  'errorBefore',
  'errorAfter',
  'unfinished',
  'html',
  'busy',
  'twice',
] as const;
type Fate = (typeof FATES)[number] | 'applied';

function page(status: number): Answer {
  return { status, headers: { 'content-type': 'text/html' }, text: '<html><title>Maintenance</title></html>' };
}

/** The file in a form. */
async function fileOf(chunks: AsyncIterable<Uint8Array>): Promise<SentFile> {
  const text = Buffer.concat(await Array.fromAsync(chunks)).toString();
  const [, fileName = '', content = ''] = /filename="([^"]*)".*?\r\n\r\n(.*)\r\n--/s.exec(text) ?? [];
  return { fileName, content };
}
