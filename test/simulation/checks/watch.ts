import type { Happening } from '../plan/happenings.ts';
import type { SimulatedResource } from '../plan/resources.ts';
import {
  EXTERNAL_ID,
  hasOtherSync,
  keyOf,
  OTHER_FIRST,
  OTHER_SOURCE,
  otherKeyOf,
  type Settings,
} from '../plan/settings.ts';
import { type Asked, type SentFile, type SimulatedCms, UPLOADS } from '../world/cms.ts';
import type { Database } from '../world/database.ts';
import type { Editors } from '../world/editors.ts';
import { isCut } from '../world/habits.ts';
import { type Item, itemOf, itemsOf } from '../world/items.ts';
import type { Applied } from '../world/network.ts';
import type { Rows } from '../world/rows.ts';
import type { SuccessWatch } from './check-success.ts';
import type { UploadWatch } from './check-uploads.ts';
import type { Finding } from './finding.ts';

const SECOND_MS = 1_000;
const MOST_AT_ONCE = 8;
/** A page of a list shows items for ten seconds; then the PATCHes wait for their turns. */
const PAGE_MS = 60_000;

/** With these, a PATCH loses what it does not send. */
const LOSING = ['a PATCH that replaces', 'a lost note'] as const;

interface WatchedSite {
  database: Database;
  uploads: UploadWatch;
  successes: SuccessWatch;
  rows: Rows;
  /** Of the other source, or the other sync. */
  other: Rows;
  editors: Editors;
  settings: Settings;
  disasters: ReadonlySet<string>;
  resource: SimulatedResource;
  log: readonly Applied[];
  /** When the CMS has last given its items other ids, or was restored. */
  moved: { at: number };
}

/** Looks at each step: what must not be even for a moment. */
export type Watch = ReturnType<typeof createWatch>;

export function createWatch(site: WatchedSite, happenings: readonly Happening[]) {
  const { database, uploads, successes, rows, other, editors, settings, resource, disasters, log } = site;
  const findings: Finding[] = [];
  const sent: number[] = [];
  const sentInPause = new Map<string, number>();
  let lastInNoPause = 0;
  // A process that is stopped between a check and what it allows does that later; clocks that are set end leases early.
  const isClockSet = happenings.some(({ what }) => what === 'clock');
  const keepsLimits = !isClockSet && !happenings.some(({ what }) => what === 'stop');
  // Another process may test a paused CMS while the request of a killed one is under way.
  const keepsPauses = keepsLimits && !happenings.some(({ what }) => what === 'kill' || what === 'config');
  const { requestsPerSecond, concurrency } = settings;
  return { findings, onSend, onWriteSent, onWrite, onUpload: uploads.onUpload };

  /** @param inFlight requests of processes that are alive */
  function onSend(now: number, inFlight: number): void {
    if (!keepsLimits) return;
    sent.push(now);
    while ((sent[0] ?? now) <= now - SECOND_MS) sent.shift();
    if (requestsPerSecond && sent.length > requestsPerSecond) {
      report('limit', `${sent.length} requests within a second, at ${now}`);
    }
    const most = concurrency === 'auto' ? MOST_AT_ONCE : concurrency;
    if (inFlight > most) report('limit', `${inFlight} requests in flight, at ${now}`);
    if (keepsPauses && disasters.size === 0) checkPause(now);
  }

  /** In a pause that the CMS asked for, nothing is sent, except what was about to be; after it, one request tests the CMS. */
  function checkPause(now: number): void {
    const pause = database.pauseOf();
    if (!pause) {
      lastInNoPause = now;
      return;
    }
    // The CMS never asks for less than a second; the ledger counts whole milliseconds.
    if (pause.isOver && now - lastInNoPause < SECOND_MS - 2) report('limit', `a pause was over too early, at ${now}`);
    const name = JSON.stringify(pause);
    const first = sentInPause.get(name);
    if (first === undefined) sentInPause.set(name, now);
    else if (pause.isOver || now - first > SECOND_MS / 2) report('limit', `a request in a pause, at ${now}`);
  }

  /**
   * Whoever takes a record over waits until what others have sent for it has arrived, if clocks run.
   * @param holder the process that sends it, which must have claimed the record
   */
  function onWriteSent(request: Asked, holder: string, others: ReadonlySet<Asked>): void {
    if (!request.path.startsWith(resource.path)) report('overwritten', `a ${request.method} of ${request.path}`);
    if (isClockSet || disasters.size > 0) return;
    const name = targetOf(request);
    const id = request.method === 'POST' ? undefined : idOf(request);
    const isClaimed =
      id === undefined
        ? keysOf(request, settings, resource).some((key) => database.isClaimed('key', key, holder))
        : database.isClaimed('cms_id', id, holder);
    // After keys have passed on, nothing tells the key of a record from its name.
    if (!isClaimed && !rows.haveSwapped())
      report('doubled', `a ${request.method} of ${name} without a claim, by ${holder}`);
    if ([...others].some((each) => targetOf(each) === name)) report('doubled', `two writes of ${name} at once`);
  }

  /** @param cms as it is before the request */
  function onWrite(request: Applied, cms: SimulatedCms): void {
    const id = idOf(request);
    const item = itemOf(cms, id);
    if (!item) return;
    successes.onWrite(request, item);
    const what = `${request.method} of item ${id} (${item[resource.name]}) by ${request.by}`;
    checkOwner(what, request, item);
    // What a PATCH has emptied is restored, also what editors own.
    const mayRestore = LOSING.some((name) => settings.features.includes(name));
    const { note = item.note } = (request.body ?? {}) as { note?: unknown };
    if (note !== item.note && !mayRestore) {
      report('overwritten', `${what}: it has the editors' note`);
    }
    const own = editors.isOwn(id) ? editors.own.get(id) : undefined;
    if (own && isUnnoticed(request, own.at)) {
      editors.own.set(id, { at: own.at });
      return;
    }
    if (own) report('overwritten', `${what}: it is the editors'`);
    if (request.method === 'DELETE') checkDelete(what, item, itemsOf(cms));
    else {
      checkText(what, request, item);
      const noted = editors.noted.get(id);
      // What a PATCH loses that nobody has seen is not restored.
      if (noted && mayRestore && isUnnoticed(request, noted.at)) editors.noted.delete(id);
      checkLook(what, request, cms);
    }
  }

  /** An item with the external id of one record is not that of another one, whatever the ledger has. */
  function checkOwner(what: string, request: Applied, item: Item): void {
    const marked = item[EXTERNAL_ID];
    if (marked === undefined || marked === '' || rows.haveSwapped()) return;
    const owners = database.ownersOf(item.id);
    if (owners.length === 0 || owners.includes(String(marked)) || isUnnoticed(request, site.moved.at)) return;
    report('overwritten', `${what}: it is that of ${marked}, and the ledger has it as ${owners.join()}`);
  }

  /** Unless it is the second of two: only where missing records are removed, after two whole readings without it, within the limit. */
  function checkDelete(what: string, item: Item, items: readonly Item[]): void {
    const name = settings.externalId ? EXTERNAL_ID : resource.name;
    const isTwin = items.some((each) => each.id !== item.id && each[name] === item[name]);
    // A create whose external id says less than one of another record is taken back.
    if (isTwin || isCut(item) || database.hasUndone()) return;
    if (settings.missing === 'keep') report('deleted', `${what}: what is missing is kept`);
    if (!rows.wasMissed(item) && !other.wasMissed(item))
      report('deleted', `${what}: it was not missing in two whole readings`);
    const { kind, removed, of } = database.removalOf(item.id);
    if (kind === 'run' && 100 * removed > settings.limitPercent * of)
      report('deleted', `${what}: it is one of ${removed} of ${of}`);
  }

  function checkText(what: string, request: Applied, item: Item): void {
    const { text } = resource;
    const { body } = request;
    const edit = editors.described.get(item.id);
    if (!settings.editorsOwn || !edit || (item[text] ?? '') !== edit.text || !body || !(text in body)) return;
    // What a PATCH has emptied is restored with the whole item, as it was.
    if ((body as Record<string, unknown>)[text] === edit.text) return;
    // Of an item that was found again, nothing tells whether a text was cleared or never there.
    if (edit.text === '' && disasters.size > 0) return;
    const isRestored = edit.text === '' && isClearedAtPatch(request, edit.at);
    // A CMS that does not take the text that is sent has kept theirs, which looks like its own spelling of what was sent.
    if (isRestored || isUnnoticed(request, edit.at)) editors.forgetText(item.id);
    else report('overwritten', `${what}: editors have described it`);
  }

  /** A text that editors clear between the look at an item and its PATCH may be restored, as the documentation says. */
  function isClearedAtPatch({ path }: Applied, clearedAt: number): boolean {
    const ofItem = log.filter((entry) => entry.path === path);
    const nth = ofItem.findIndex(({ method, at }) => method === 'PATCH' && at >= clearedAt);
    const look = ofItem.slice(0, nth).findLast(({ method, by }) => method === 'GET' && by === ofItem[nth]?.by);
    if (nth >= 0 && look !== undefined && look.at <= clearedAt) return true;
    const patch = ofItem[nth];
    return patch !== undefined && isListed(patch, clearedAt);
  }

  /** An upload may take minutes: the item is looked at after it. */
  function checkLook(what: string, { by, path, body }: Applied, { files }: SimulatedCms): void {
    const { image } = (body ?? {}) as { image?: { src: string } };
    const content = files.get(image?.src ?? '');
    const ofProcess = log.filter((entry) => entry.by === by);
    const isUpload = (entry: Applied) => entry.path === UPLOADS && (entry.body as SentFile).content === content;
    const upload = ofProcess.find(isUpload);
    const look = ofProcess.findLast((entry) => entry.method === 'GET' && entry.path === path);
    if (upload && look && look.at < upload.at) report('overwritten', `${what}: it was not looked at after the upload`);
  }

  /**
   * Each write needs a look at the item, by its id or in a list, unless it is repeated. What editors do between the two is not noticed, as the
   * documentation says; after the CMS was restored, that may be a new item with the same id.
   */
  function isUnnoticed(request: Applied, changedAt: number): boolean {
    const { by, method, path, body } = request;
    const ofProcess = log.filter((entry) => entry.by === by && entry.path === path);
    const nth = ofProcess.findLastIndex((entry) => entry.method === 'GET');
    const look = ofProcess[nth];
    const isSame = (entry: Applied) => entry.method === method && JSON.stringify(entry.body) === JSON.stringify(body);
    if (look !== undefined && look.at <= changedAt && ofProcess.slice(nth + 1).every(isSame)) return true;
    return isListed(request, changedAt);
  }

  /** Whether a PATCH may follow a page of a list that was read before a change, without a look at the item since. */
  function isListed({ by, method, path, at }: Applied, changedAt: number): boolean {
    const ofProcess = log.filter((entry) => entry.by === by && entry.method === 'GET' && entry.at > at - PAGE_MS);
    const isLook = (entry: Applied) => entry.path === path && entry.at > changedAt && entry.at < at;
    const isPage = (entry: Applied) => entry.path === path.replace(/\/\d+$/, '') && entry.at <= changedAt;
    return method === 'PATCH' && ofProcess.some(isPage) && !ofProcess.some(isLook);
  }

  function report(is: Finding['is'], what: string): void {
    // One of a kind tells enough.
    if (!findings.some((finding) => finding.is === is)) findings.push({ is, what });
  }
}

function idOf({ path }: Asked): number {
  return Number(/\d+$/.exec(path)?.[0]);
}

/** The keys of the records that a request may create: those of several syncs may be alike. */
function keysOf({ body = {} }: Asked, settings: Settings, { name }: SimulatedResource): string[] {
  const { [EXTERNAL_ID]: externalId, [name]: text } = body as Record<string, unknown>;
  if (externalId !== undefined) return [String(externalId).replace(/^\w+:/, '')];
  const number = Number(/\d+/.exec(String(text))?.[0]);
  const alike = hasOtherSync(settings) || settings.hasTwoSources ? ['again0', 'again1', 'again2'] : [];
  const keys = [number < OTHER_FIRST ? keyOf(settings, number) : otherKeyOf(number), ...alike];
  if (!settings.hasTwoSources) return keys;
  return [...keys, ...['main', OTHER_SOURCE].flatMap((source) => keys.map((key) => `${source}/${key}`))];
}

/** What a request writes. */
function targetOf({ method, path, body }: Asked): string {
  return method === 'POST' ? `${path} ${JSON.stringify(body)}` : path;
}
