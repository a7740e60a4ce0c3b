import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../app/app.ts';
import { syncNamed } from '../../config/select.ts';
import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import { derivedAttributes } from '../../core/attributes.ts';
import { CodedError, toCodedError } from '../../core/errors.ts';
import type { AttachmentSource, Payload } from '../../core/record.ts';
import { recordTitle } from '../../core/text/record-title.ts';
import { createsAgain } from '../../sync/compare/decide.ts';
import { fileAddress, fileName } from '../../sync/compare/differences.ts';
import { clusterOf } from '../../sync/explain/explain-cluster.ts';
import { explainRecord, type Story } from '../../sync/explain/explain-record.ts';
import { itemsOf, unlessDeleted } from '../../sync/items/cms-items.ts';
import { isAsSent, partsLike, valueAt } from '../../sync/items/values.ts';
import { itemLink } from '../answers/item-link.ts';
import { pictureAt, withPictures } from '../answers/picture.ts';
import { toAcknowledged, toProblem } from '../answers/problem.ts';
import type { RecordDetailView, RecordSourceView, SetBy } from '../views/record.ts';
import type { DifferenceView, ProblemView } from '../views/shared.ts';
import { differingIn } from './differing.ts';
import { leftOutIn } from './left-out.ts';

type Delivery = Awaited<ReturnType<App['ledger']['history']['deliveries']>>[number];

/** The item as the CMS has it now. */
export interface RecordLiveView {
  /** `missing`: deleted in the CMS; `removed`: deleted by feedferry; `never`: nothing was delivered. */
  is: 'there' | 'missing' | 'removed' | 'never' | 'unreachable';
  /** Whether a delivery creates an item again that was deleted in the CMS (`onDeletedInCms`). */
  createsAgain?: boolean;
  /** Why the item is unknown. */
  problem?: ProblemView;
  /** Present values of the attributes that feedferry delivered. */
  attributes: Payload;
  /** Addresses of the pictures, by their attributes. */
  pictures?: Record<string, string>;
  /** Differences between the delivered and the live values. */
  differences: DifferenceView[];
}

/** Creates the query for a record as the ledger has it. */
export function createRecordQuery(app: () => Pick<App, 'config' | 'ledger'>) {
  return { record };

  async function record(sync: string, key: string): Promise<RecordDetailView> {
    const { ledger, config } = app();
    const [state, content, history, acknowledged, differing, waiting] = await Promise.all([
      ledger.records.state(sync, key),
      ledger.records.content(sync, key),
      ledger.history.deliveries(sync, key),
      ledger.acknowledgements.acknowledged(sync, { key }),
      differingIn(sync, [key], ledger),
      ledger.plans.waitingChange(sync, key),
    ]);
    if (!state || !content) {
      throw new CodedError('FF_RECORD_UNKNOWN', `The ledger has no record "${key}" of "${sync}".`);
    }
    const configured = config.syncs.find(({ name }) => name === sync);
    const event = configured && (await clusterOf(key, { ledger, sync: configured }));
    const { known: _, outcome: __, cmsId, ...shown } = state;
    const { error, leftOut } = { ...state, ...(await leftOutIn(sync, [{ key, ...state }], ledger)).get(key) };
    const { resource, at, desired, delivered, startsOn, files } = content;
    const { target } = config;
    const attributes = Object.keys({ ...desired, ...delivered });
    return {
      sync,
      key,
      // Nothing of a deleted item is delivered, and the source may have asked for a part only: the history has the rest.
      title: recordTitle(
        Object.assign({}, ...history.toReversed().map(({ before }) => before), delivered, desired),
        resource,
      ),
      ...shown,
      ...differing.get(key),
      cmsId,
      startsOn: startsOn ?? undefined,
      error: error && toProblem(error),
      leftOut,
      waiting: waiting && { run: waiting.run, op: waiting.op },
      event,
      ...itemLink(target, resource, cmsId),
      ...(acknowledged.length > 0 && { acknowledged: acknowledged.map(toAcknowledged) }),
      resource,
      at,
      desired,
      delivered,
      pictures: picturesOf(delivered ?? {}, target.baseUrl),
      files: files.map(({ source, ...file }) => ({ ...toFile(file.attribute, source, target.baseUrl), ...file })),
      setBy: setBy(attributes, desired, configured ?? {}, target),
      history: history.map((change, nth) =>
        toHistory({ ...change, since: history.slice(0, nth).reverse(), delivered }, target.baseUrl),
      ),
    };
  }
}

/** Creates the queries for a record as its feed and the CMS have it now. */
export function createRecordLookups(app: () => App) {
  return { recordSource, recordLive, itemAddress };

  async function recordSource(name: string, key: string, signal: AbortSignal): Promise<RecordSourceView> {
    const story = await explainRecord(key, app().contextOf(syncNamed(name, app().config), { signal }));
    // The lookup also takes words, which may fit several records. Only the exact key counts here.
    if ('matches' in story || story.key !== key) {
      throw new CodedError('FF_RECORD_UNKNOWN', `Neither the feed nor the ledger has a record "${key}" of "${name}".`);
    }
    return sourceOf(story, app().config.target);
  }

  /**
   * Returns the address at which people see the item of a record, or edit it: that of the config, or else the one that the CMS gives.
   * @throws CodedError FF_RECORD_UNKNOWN if there is no item or no address
   */
  async function itemAddress(name: string, key: string, place: 'site' | 'cms', signal: AbortSignal): Promise<string> {
    const { config, ledger, contextOf } = app();
    const [content, state] = await Promise.all([ledger.records.content(name, key), ledger.records.state(name, key)]);
    const { cmsId } = state ?? {};
    if (!content || cmsId === undefined)
      throw new CodedError('FF_RECORD_UNKNOWN', `The record "${key}" of "${name}" has no item in the CMS.`);
    const { link } = itemLink(config.target, content.resource, cmsId);
    if (link !== undefined && place === 'cms') return link;
    const sync = syncNamed(name, config);
    const { checks: cms } = contextOf(sync, { signal });
    const live = await unlessDeleted(itemsOf(content.resource, { cms, sync, call: { signal } }).get(cmsId));
    if (!live) throw new CodedError('FF_RECORD_UNKNOWN', `The item ${cmsId} of "${key}" was deleted in the CMS.`);
    const { url, editUrl } = live as Record<string, unknown>;
    const { origin } = new URL(config.target.baseUrl);
    // An address elsewhere would be one that the CMS does not give out.
    const addresses = (place === 'site' ? [url, editUrl] : [editUrl, url]).flatMap((address) =>
      typeof address === 'string' && URL.canParse(address, origin) ? new URL(address, origin) : [],
    );
    const found = addresses.find((address) => address.origin === origin)?.href ?? link;
    if (found === undefined) throw new CodedError('FF_RECORD_UNKNOWN', `The CMS gives no address of item ${cmsId}.`);
    return found;
  }

  async function recordLive(name: string, key: string, signal: AbortSignal): Promise<RecordLiveView> {
    const content = await app().ledger.records.content(name, key);
    const state = await app().ledger.records.state(name, key);
    if (!content || !state) {
      throw new CodedError('FF_RECORD_UNKNOWN', `The ledger has no record "${key}" of "${name}".`);
    }
    const { resource, delivered } = content;
    const configured = app().config.syncs.find((each) => each.name === name);
    const isCreatedAgain = configured !== undefined && createsAgain(configured);
    const missing: RecordLiveView = { is: 'missing', createsAgain: isCreatedAgain, attributes: {}, differences: [] };
    if (state.cmsId === undefined || delivered === null) {
      if (state.deliveredAt !== undefined && state.status !== 'removed') return missing;
      return { is: state.status === 'removed' ? 'removed' : 'never', attributes: {}, differences: [] };
    }
    try {
      const sync = syncNamed(name, app().config);
      const { checks } = app().contextOf(sync, { signal });
      const live = await unlessDeleted(itemsOf(resource, { cms: checks, sync, call: { signal } }).get(state.cmsId));
      if (!live) return missing;
      const attributes = Object.fromEntries(
        Object.entries(delivered).map(([name, value]) => [name, partsLike(valueAt(live, name), value)]),
      );
      const differences = Object.entries(delivered).flatMap(([attribute, from]) => {
        const isSame = isAsSent(live, attribute, from, content);
        return isSame ? [] : [{ attribute, from, to: attributes[attribute] }];
      });
      return {
        is: 'there',
        attributes,
        pictures: picturesOf(attributes, app().config.target.baseUrl),
        differences: withPictures(differences, app().config.target.baseUrl),
      };
    } catch (error) {
      const { code, message } = toCodedError(error);
      return { is: 'unreachable', problem: toProblem({ code, message }), attributes: {}, differences: [] };
    }
  }
}

/** Returns what pages, commands and JSON show of the source of a record. */
export function sourceOf(
  { source, verdict, differences }: Pick<Story, 'source' | 'verdict' | 'differences'>,
  { baseUrl }: Pick<TargetConfig, 'baseUrl'>,
): RecordSourceView {
  const { location, complete, reason } = source;
  const found = source.found.map((each) => toFoundView(each, baseUrl));
  return { location, complete, reason, verdict, found, differences: withPictures(differences, baseUrl) };
}

function picturesOf(values: Payload, baseUrl: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([attribute, value]) => {
      const address = pictureAt(value, attribute, baseUrl);
      return address === undefined ? [] : [[attribute, address]];
    }),
  );
}

function toFile(attribute: string, source: AttachmentSource, baseUrl: string) {
  return withPicture({ attribute, name: fileName(source), address: fileAddress(source) }, baseUrl);
}

function withPicture<File extends { attribute: string; address?: string | undefined }>(file: File, baseUrl: string) {
  const picture = pictureAt(file.address, file.attribute, baseUrl);
  return { ...file, picture };
}

function toFoundView(found: Story['source']['found'][number], baseUrl: string) {
  const { at, is, fields } = found;
  if (found.is === 'desired') {
    return {
      at,
      is,
      fields,
      payload: found.payload,
      files: found.files.map((file) => withPicture(file, baseUrl)),
      warnings: found.warnings,
    };
  }
  const problem = found.is === 'rejected' ? toProblem(found) : undefined;
  const warnings = found.is === 'skipped' ? [found.reason] : [];
  return { at, is, fields, files: [], warnings, problem };
}

/** A change, those after it, and what the CMS has now. */
interface ChangeAmong {
  before?: Payload | null | undefined;
  after?: Payload | null | undefined;
  since: ReadonlyArray<{ before?: Payload | null | undefined }>;
  delivered?: Payload | null | undefined;
}

/**
 * Returns how a change has changed an attribute that it sent. The values that were sent are not stored: only those that they replaced, and
 * those that the CMS stored instead. If a later change replaced the value, the before image of that change has it.
 */
export function attributeChange(attribute: string, { before, after, since, delivered }: ChangeAmong): DifferenceView {
  const later = since.find((each) => each.before && Object.hasOwn(each.before, attribute));
  const to = after?.[attribute] ?? later?.before?.[attribute] ?? delivered?.[attribute];
  return { attribute, from: before?.[attribute], to };
}

function toHistory(
  { time, run, outcome, sent, uploads, cmsId, error, ...change }: Delivery & ChangeAmong,
  baseUrl: string,
) {
  const attributes = sent?.attributes ?? [];
  const differences = attributes
    .filter((attribute) => Object.hasOwn({ ...change.before, ...change.after }, attribute))
    .map((attribute) => attributeChange(attribute, change));
  return {
    ...{ at: time, run, outcome, method: sent?.method, attributes, uploads, cmsId },
    error: error && toProblem(error),
    differences: withPictures(differences, baseUrl),
  };
}

/**
 * Returns the attributes whose values do not come from a field of the feed, and where the values come from. Nothing is known of
 * a sync without a map.
 * @param desired the payload that the source last asked for
 */
function setBy(
  attributes: readonly string[],
  desired: Payload,
  { map }: Partial<Pick<SyncConfig, 'map'>>,
  { externalId }: Pick<TargetConfig, 'externalId'>,
): Record<string, SetBy> {
  return Object.fromEntries(
    attributes.flatMap((attribute): Array<[string, SetBy]> => {
      if (attribute === externalId) return [[attribute, 'feedferry']];
      if (map === undefined) return [];
      const rules = Object.entries(map).filter(([name]) => name === attribute || name.startsWith(`${attribute}.`));
      if (rules.length === 0) return derivedAttributes.includes(attribute) ? [[attribute, 'derived']] : [];
      if (rules.every(([, rule]) => rule.value !== undefined)) return [[attribute, 'constant']];
      const [, rule] = rules[0] ?? [];
      const isDefault = rule?.default !== undefined && isDeepStrictEqual(rule.default, desired[attribute]);
      return isDefault ? [[attribute, 'default']] : [];
    }),
  );
}
