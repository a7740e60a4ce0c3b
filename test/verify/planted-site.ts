import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type App, openApp } from '../../src/app/app.ts';
import { readEnvironment } from '../../src/app/environment.ts';
import { loadAppConfig } from '../../src/app/load-config.ts';
import { syncRun } from '../../src/sync/runs/sync-run.ts';
import type { DriftCause } from '../../src/sync/verify/compare-item.ts';
import type { Verification } from '../../src/sync/verify/verification.ts';
import { verifySyncs } from '../../src/sync/verify/verify-syncs.ts';
import type { TestCmsOptions } from '../support/cms/start-cms.ts';
import { startTestCms, type TestCms } from '../support/cms/start-cms.ts';

const MARK = 'source_key';
/** What an editor's PATCH changes; the attributes in which the item then differs. No record has these days. */
const EDITS: ReadonlyArray<{ body: object; attributes: string[]; cause?: DriftCause }> = [
  { body: { title: 'Changed by an editor' }, attributes: ['title'] },
  { body: { description: null }, attributes: ['description'] },
  { body: { time: { start: '07:00:00', end: '07:30:00', type: 'timed' } }, attributes: ['time'] },
  { body: { date: '2033-05-01', endDate: '2033-05-02' }, attributes: ['date', 'endDate'] },
  { body: { [MARK]: '' }, attributes: [MARK] },
  { body: { title: 'Both', isFeatured: true }, attributes: ['isFeatured', 'title'] },
  { body: { image: null }, attributes: ['image'], cause: 'fileMissing' },
  { body: { image: { src: '/elsewhere/other.png' } }, attributes: ['image'] },
];
/** What is no drift: attributes of editors, of nobody, and values that a CMS may show in another form. */
const DECOYS: readonly object[] = [
  { notes: 'an attribute that feedferry does not write' },
  { showOnAllDates: true },
  { editorsText: 'an attribute that editors own' },
  { teaser: 'set once at the create' },
];

/** A site on which feedferry has delivered events, and which knows what was changed there since. */
export interface PlantedSite extends AsyncDisposable {
  sandbox: TestCms;
  app: App;
  /** What a verification has to find: "cause key attributes", sorted. */
  planted: string[];
  verify(): Promise<Verification>;
  /** Sets the faults of the sandbox. */
  fail(plan: object): Promise<unknown>;
}

/** Delivers this many events, then plants this many drifts of every kind, and as many changes that are none. */
export async function openPlantedSite(
  items: number,
  drifts: number,
  options: TestCmsOptions = {},
): Promise<PlantedSite> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-verify-'));
  const instance = options.switches?.instances?.[0];
  const sandbox = await startTestCms({ memory: true, ...options });
  const refused = Math.ceil(drifts / 10);
  writeSite(dir, items, refused, instance);
  const environment = readEnvironment({
    ...{ FEEDFERRY_CONFIG: join(dir, 'config'), FEEDFERRY_DATA: join(dir, 'data') },
    ...{ CMS_BASE_URL: sandbox.url, CMS_API_TOKEN: sandbox.token, LOG_LEVEL: 'silent' },
  });
  const app = await openApp(loadAppConfig(environment), environment, pino({ level: 'silent' }));
  const [others, talks] = app.config.syncs;
  const signal = new AbortController().signal;
  const call = caller(sandbox, instance);
  await call('PUT', '_sandbox/faults', {
    faults: [{ kind: 'error', status: 422, method: 'POST', path: '/api/v1/calendar/events', times: refused }],
  });
  for (const sync of [talks, others]) {
    const { counts } = await syncRun(app.contextOf(sync!, { signal }));
    if (counts.created + counts.failed !== (sync === talks ? items + refused : 10))
      throw new Error(JSON.stringify(counts));
  }
  const planted = await plant(drifts - refused, items, app, call);
  return {
    sandbox,
    app,
    planted,
    fail: (plan) => call('PUT', '_sandbox/faults', plan),
    async verify() {
      const verified = await verifySyncs(app.config.syncs.map((sync) => app.contextOf(sync, { signal })));
      return verified.map(({ result }) => result).find(({ sync }) => sync === 'talks')!;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await sandbox.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** What a verification has found, as `planted` has it. */
export function foundBy({ drift }: Pick<Verification, 'drift'>): string[] {
  return drift
    .map(({ cause, key, attributes }) => describe(cause, key, cause === 'undelivered' ? [] : attributes))
    .sort();
}

function describe(cause: DriftCause, key: string, attributes: readonly string[] = []): string {
  return [cause, key, ...attributes.toSorted()].join(' ');
}

type Call = (method: string, path: string, body?: object) => Promise<{ id: number } & Record<string, unknown>>;

function caller({ url, token }: TestCms, instance: string | undefined): Call {
  const headers = { accept: 'application/json', 'user-agent': 'editor', authorization: `Bearer ${token}` };
  return async (method, path, body) => {
    const query = instance && path.startsWith('api') ? `?instance=${instance}` : '';
    const response = await fetch(`${url}/${path}${query}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? { id: 0 } : ((await response.json()) as { id: number });
  };
}

/** Plants drifts of every kind by turns, and as many changes that are none. */
async function plant(drifts: number, items: number, app: App, call: Call): Promise<string[]> {
  const planted: string[] = [];
  const delivered: Array<{ key: string; cmsId: number }> = [];
  for await (const records of app.ledger.verifications.recordsOf('talks')) {
    for (const { key, cmsId, isUndelivered } of records) {
      if (isUndelivered) planted.push(describe('undelivered', key));
      else if (cmsId !== null) delivered.push({ key, cmsId });
    }
  }
  const recordAt = (index: number) => delivered[index]!;
  const step = Math.floor(items / (2 * drifts));
  const events = (id: number | string) => `api/v1/calendar/events${id === '' ? '' : `/${id}`}`;
  for (let turn = 0; turn < drifts; turn += 1) {
    const { key, cmsId } = recordAt(turn * 2 * step);
    const kind = turn % (EDITS.length + 3);
    const edit = EDITS[kind];
    if (edit) {
      await call('PATCH', events(cmsId), edit.body);
      planted.push(describe(edit.cause ?? 'edited', key, edit.attributes));
    } else if (kind === EDITS.length) {
      await call('DELETE', events(cmsId));
      planted.push(describe('deleted', key));
    } else {
      const isCopy = kind === EDITS.length + 1;
      const mark = isCopy ? key : `Lost ${turn}`;
      const time = { start: '10:00:00', end: '11:00:00', type: 'timed' };
      const copy = { title: 'A copy', date: '2031-05-01', endDate: '2031-05-01', time, [MARK]: `talks:${mark}` };
      await call('POST', events(''), copy);
      planted.push(describe(isCopy ? 'doubled' : 'orphan', mark));
    }
    const decoy = recordAt(turn * 2 * step + step);
    const body = DECOYS[turn % DECOYS.length] ?? {};
    await call('PATCH', events(decoy.cmsId), body);
    const { id, title, date, endDate, time } = await call('GET', events(decoy.cmsId));
    // An item of an editor, like the one of a record.
    if (turn % 5 === 0 && id > 0)
      await call('POST', events(''), { title, date, endDate, time: { type: 'timed', ...(time as object) } });
  }
  return planted.sort();
}

function keyOf(index: number): string {
  return `T${String(index).padStart(6, '0')}`;
}

function writeSite(dir: string, items: number, refused: number, instance: string | undefined): void {
  const write = (path: string, content: string | Uint8Array) => {
    const file = join(dir, 'config', path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
  };
  const target = ['externalId: source_key', 'concurrency: 16', 'lookupAfter: 10ms', 'maxAttempts: 2', 'backoff: 50ms'];
  write(
    'feedferry.yaml',
    `target:\n  baseUrl: \${CMS_BASE_URL}\n  token: \${CMS_API_TOKEN}\n  timezone: UTC\n  ${target.join('\n  ')}\n`,
  );
  const map =
    'title: title, date: date, time.start: start, time.end: { field: end, format: "HH:mm" }, description: text';
  const sync = (name: string) => `resource: events
source: { connector: csv, url: ./feeds/${name}.csv }
key: id
${instance ? `instance: ${instance}` : ''}
map: { ${map}, isFeatured: { field: featured, default: "" }, editorsText: text, teaser: text }
authority: { editorsText: editor, teaser: initial }
attachments: { image: image }
# A record that the CMS refuses stays undelivered; otherwise it would be tried without its image.
onAttachmentError: hold
`;
  write('syncs/talks.yaml', sync('talks'));
  write('syncs/others.yaml', sync('others'));
  for (let shade = 0; shade < 5; shade += 1) write(`syncs/feeds/${shade}.png`, png(shade));
  const row = (title: string, index: number) => {
    const day = new Date(Date.UTC(2030, 0, 1 + (index % 700))).toISOString().slice(0, 10);
    return `${keyOf(index)},${title} ${index} & more,${day},18:00,19:30,"Text of ${index}",,${index % 5}.png`;
  };
  const columns = 'id,title,date,start,end,text,featured,image';
  const feed = (name: string, length: number) => {
    const rows = Array.from({ length }, (_, index) => row(name, index));
    write(`syncs/feeds/${name}.csv`, `${[columns, ...rows].join('\n')}\n`);
  };
  feed('talks', items + refused);
  feed('others', 10);
}

function png(shade: number): Uint8Array {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  return Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.from([shade])]);
}
