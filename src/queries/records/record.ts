import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../app/app.ts';
import { CodedError, toCodedError } from '../../core/errors.ts';
import type { Payload } from '../../core/record.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import { explainRecord, type Story } from '../../sync/explain/explain-record.ts';
import { itemsOf, unlessDeleted } from '../../sync/items/cms-items.ts';
import { partsLike, valueAt } from '../../sync/items/values.ts';
import { usableSync } from '../answers/configured-sync.ts';
import { itemLink } from '../answers/item-link.ts';
import { toProblem } from '../answers/problem.ts';
import type { RecordDetailView, RecordLiveView, RecordSourceView } from '../views/record.ts';

type Delivery = Awaited<ReturnType<App['ledger']['history']['deliveries']>>[number];

/** Queries about one record. */
export function createRecordQueries(app: () => App) {
  return { record, recordSource, recordLive };

  async function record(sync: string, key: string): Promise<RecordDetailView> {
    const { ledger, config } = app();
    const [state, content, history] = await Promise.all([
      ledger.records.state(sync, key),
      ledger.records.content(sync, key),
      ledger.history.deliveries(sync, key),
    ]);
    if (!state || !content) {
      throw new CodedError('FF_RECORD_UNKNOWN', `The ledger has no record "${key}" of "${sync}".`);
    }
    const { known: _, outcome: __, error, cmsId, ...shown } = state;
    const { resource, at, desired, delivered, startsOn } = content;
    const link = cmsId === undefined ? undefined : itemLink(config.target, resource, cmsId);
    return {
      sync,
      key,
      title: recordTitle({ ...delivered, ...desired }, resource),
      ...shown,
      ...(cmsId !== undefined && { cmsId }),
      ...(startsOn !== null && { startsOn }),
      ...(error && { error: toProblem(error) }),
      ...(link !== undefined && { link }),
      resource,
      at,
      desired,
      delivered,
      history: history.map(toHistory),
    };
  }

  async function recordSource(name: string, key: string, signal: AbortSignal): Promise<RecordSourceView> {
    const story = await explainRecord(key, app().contextOf(usableSync(name, app().config), { signal }));
    // The lookup also takes words, which may fit several records. Only the exact key counts here.
    if ('matches' in story || story.key !== key) {
      throw new CodedError('FF_RECORD_UNKNOWN', `Neither the feed nor the ledger has a record "${key}" of "${name}".`);
    }
    const { source, verdict, differences } = story;
    const { location, complete } = source;
    return { location, complete, verdict, found: source.found.map(toFoundView), differences };
  }

  async function recordLive(name: string, key: string, signal: AbortSignal): Promise<RecordLiveView> {
    const { resource, delivered, cmsId } = await record(name, key);
    if (cmsId === undefined || delivered === null) return { is: 'never', attributes: {}, differences: [] };
    try {
      const sync = usableSync(name, app().config);
      const { checks } = app().contextOf(sync, { signal });
      const live = await unlessDeleted(itemsOf(resource, { cms: checks, sync, call: { signal } }).get(cmsId));
      if (!live) return { is: 'missing', attributes: {}, differences: [] };
      const attributes = Object.fromEntries(
        Object.entries(delivered).map(([name, value]) => [name, partsLike(valueAt(live, name), value)]),
      );
      return { is: 'there', attributes, differences: differencesBetween(delivered, attributes) };
    } catch (error) {
      const { code, message } = toCodedError(error);
      return { is: 'unreachable', problem: toProblem({ code, message }), attributes: {}, differences: [] };
    }
  }
}

function differencesBetween(before: Payload, after: Payload) {
  return Object.keys(after)
    .filter((attribute) => !isDeepStrictEqual(before[attribute], after[attribute]))
    .map((attribute) => ({ attribute, from: before[attribute], to: after[attribute] }));
}

function toHistory({ time, run, outcome, sent, uploads, cmsId, error, before, after }: Delivery) {
  const attributes = sent?.attributes ?? [];
  return {
    at: time,
    run,
    outcome,
    ...(sent && { method: sent.method }),
    attributes,
    uploads,
    ...(cmsId !== undefined && { cmsId }),
    ...(error && { error: toProblem(error) }),
    // The sent values are not stored, only the values that they replaced and the values that the CMS stored instead.
    differences: attributes
      .filter((attribute) => Object.hasOwn({ ...before, ...after }, attribute))
      .map((attribute) => ({ attribute, from: before?.[attribute], to: after?.[attribute] })),
  };
}

function toFoundView(found: Story['source']['found'][number]) {
  const { at, is, fields } = found;
  if (found.is === 'desired')
    return { at, is, fields, payload: found.payload, files: found.files, warnings: found.warnings };
  const problem = found.is === 'rejected' ? toProblem(found) : undefined;
  const warnings = found.is === 'skipped' ? [found.reason] : [];
  return { at, is, fields, files: [], warnings, problem };
}
