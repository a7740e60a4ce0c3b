import type { Environment } from '../../app/environment.ts';
import { siteOf, targetIdOf } from '../../app/target-id.ts';
import { type CmsClient, CmsError, type CmsItem, createCmsClient, type ResponseInfo } from '../../cms/client.ts';
import type { Page } from '../../cms/items.ts';
import type { Config } from '../../config/types.ts';
import type { Payload } from '../../core/record.ts';
import { isLedgerCurrent } from '../../ledger/database/inspect.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import { createGates } from '../../limits/request-gate.ts';
import { clockFinding, type Examination, type Finding, ok, problemOf } from '../findings/finding.ts';
import { type CmsList, ITEMS_A_PAGE, listsOf } from './cms-list.ts';
import { checkExternalId } from './external-id.ts';
import { checkHabits } from './habits.ts';
import { targetFinding } from './target-state.ts';

/**
 * Examines the CMS, only by reading. If there is a ledger, all requests pass its gate. So they respect the limits, and if a CMS
 * that was paused or stopped responds, feedferry sends requests again.
 */
export async function* checkCms(config: Config, examination: Examination): AsyncGenerator<Finding> {
  const { target, syncs } = config;
  const { environment, log, signal } = examination;
  const targetId = siteOf(target.baseUrl);
  const ledger = await openCurrentLedger(environment);
  const gates = ledger && createGates(ledger, { targetId, target, log });
  let answeredAt: number | undefined;
  let cms: CmsClient | undefined;
  try {
    const before = await ledger?.targets.look(targetId);
    const onResponse = (info: ResponseInfo) => {
      answeredAt = info.answeredAt;
    };
    cms = createCmsClient({ ...target, gate: gates?.examinations, concurrency: 1, retries: 1, onResponse });
    const firstPages: Array<{ list: CmsList; first: Page<CmsItem> }> = [];
    for (const list of listsOf(syncs, cms, signal)) {
      try {
        const first = await list.page({ limit: ITEMS_A_PAGE });
        firstPages.push({ list, first });
        yield accessOf(target.baseUrl, list, first);
      } catch (error) {
        yield problemOf('cms.access', error, `No ${list.name} can be delivered.`);
        // Any other error affects all lists.
        if (!(error instanceof CmsError && error.kind === 'permanent')) break;
      }
    }
    const after = await ledger?.targets.look(targetId);
    if (before && after) yield targetFinding(before, target.adaptsConcurrency ? after : { ...after, pace: undefined });
    if (answeredAt !== undefined) yield clockOf(answeredAt);
    for (const { list, first } of firstPages) {
      yield* behaviourOf(list, first, { ledger, target });
    }
  } catch (error) {
    yield problemOf('cms', error, 'Nothing can be delivered.');
  } finally {
    await cms?.close();
    await gates?.close();
    await ledger?.close();
  }
}

function accessOf(baseUrl: string, list: CmsList, { pagination, totalItems }: Page<CmsItem>): Finding {
  const total = pagination?.total ?? totalItems;
  const items = total === undefined || total === null ? '' : ` (items: ${total})`;
  return ok('cms.access', `${list.name}: ${baseUrl} accepts the token and the headers of each request${items}.`);
}

function clockOf(answeredAt: number): Finding {
  const follows = 'Schedules and windows use the clock of this machine; "today" on the site is that of the CMS.';
  // The header has whole seconds, so half a second is added on average.
  return clockFinding('cms.clock', 'the CMS', answeredAt + 500 - Date.now(), follows);
}

async function* behaviourOf(
  list: CmsList,
  first: Page<CmsItem>,
  { ledger, target }: { ledger: Ledger | undefined; target: Config['target'] },
): AsyncGenerator<Finding> {
  const items = first.data;
  const ids = items.map(({ id }) => id);
  const delivered = (await ledger?.records.deliveredAs(list.resource, ids)) ?? new Map<number, Payload>();
  if (items.length === 0) {
    yield ok('cms.empty', `${list.name}: no items yet.`);
    return;
  }
  yield checkExternalId(list, target.externalId, items, delivered);
  yield* learntOf(list, { ledger, target });
}

/** What deliveries have learnt of the CMS. */
async function* learntOf(
  list: CmsList,
  { ledger, target }: { ledger: Ledger | undefined; target: Config['target'] },
): AsyncGenerator<Finding> {
  const [sync] = list.syncs;
  if (!sync || !ledger) return;
  const habits = await ledger.habits.of(targetIdOf(sync, target.baseUrl), list.resource);
  const isIgnoring = habits.some(({ habit }) => habit === 'ignored');
  const ignored = isIgnoring ? await Promise.all(list.syncs.map(({ name }) => ledger.habits.ignoredOf(name))) : [];
  yield* checkHabits(list, habits, ignored.flat());
}

/** Opens the ledger if its tables are those of this version, without creating or changing it. Another check reports its state. */
async function openCurrentLedger(environment: Environment): Promise<Ledger | undefined> {
  try {
    return (await isLedgerCurrent(environment)) ? await openLedger(environment) : undefined;
  } catch {
    return undefined;
  }
}
