import type { Ended } from '../crew.ts';
import type { SimulatedResource } from '../plan/resources.ts';
import { EXTERNAL_ID, PLACE, type Settings, SYNC } from '../plan/settings.ts';
import type { SimulatedCms } from '../world/cms.ts';
import type { Database } from '../world/database.ts';
import type { Editors } from '../world/editors.ts';
import { type Item, itemsOf, valueIn } from '../world/items.ts';
import type { Applied } from '../world/network.ts';
import type { Rows } from '../world/rows.ts';
import type { Finding } from './finding.ts';

interface SuccessSite {
  database: Database;
  cms: SimulatedCms;
  rows: Rows;
  editors: Editors;
  settings: Settings;
  resource: SimulatedResource;
  disasters: ReadonlySet<string>;
  source: { wholeSince: number };
  changes: { window: boolean; resource: boolean; mapsPlace: boolean };
}

/**
 * Believes no run that succeeds: each record that the source has had since before the run must have been in the CMS as the
 * source has it, at least for a moment since the run began. Otherwise the run has said that something is there that is not.
 */
export type SuccessWatch = ReturnType<typeof createSuccessWatch>;

export function createSuccessWatch(site: SuccessSite) {
  const { database, cms, rows, editors, settings, resource, disasters, source, changes } = site;
  const findings: Finding[] = [];
  /** Record, attribute and value → when the CMS last had it, before a request changed it. */
  const hadUntil = new Map<string, number>();
  return { findings, onWrite, onEnd };

  /** @param item as it is before the request */
  function onWrite({ body, at }: Applied, item: Item): void {
    if (!body) return;
    for (const attribute of Object.keys(resource.wanted({})).concat(resource.text, PLACE)) {
      hadUntil.set(nameOf(item, attribute, valueIn(item, attribute)), at);
    }
  }

  function onEnd({ command, report, sync, begunAt }: Ended & { sync: string; begunAt: number }): void {
    if (sync !== SYNC || !isSync(command) || report?.status !== 'success') return;
    if (source.wholeSince > begunAt || changes.window || changes.resource) return;
    rows.noteSuccess(rows.unchangedSince(begunAt));
    if (findings.length > 0 || [...disasters].some((each) => each !== 'ids have moved')) return;
    if (database.hasUndone() || rows.haveSwapped()) return;
    const found = new Map(
      itemsOf(cms)
        .filter(({ id }) => !editors.isOwn(id))
        .map((item) => [String(item[settings.externalId ? EXTERNAL_ID : resource.name]), item]),
    );
    for (const row of rows.unchangedSince(begunAt)) {
      const name = settings.externalId ? `${SYNC}:${row.id}` : String(row[resource.name]);
      const item = found.get(name);
      if (editors.deleted.has(name)) continue;
      if (!item) add(`${command} says success, but the CMS has no ${name}`);
      else {
        for (const [attribute, value] of wantedOf(row)) {
          if (valueIn(item, attribute) === value || editors.hasChanged(item.id, attribute)) continue;
          if ((hadUntil.get(nameOf(item, attribute, value)) ?? -1) >= begunAt) continue;
          const has = JSON.stringify(valueIn(item, attribute));
          add(`${command} says success, but ${name} (id ${item.id}) has ${attribute} ${has}, never since "${value}"`);
        }
      }
    }
  }

  function wantedOf(row: Record<string, string>): Array<[string, unknown]> {
    const place = changes.mapsPlace ? { [PLACE]: row.place } : {};
    return Object.entries({ ...resource.wanted(row), [resource.text]: row.text, ...place });
  }

  function nameOf(item: Item, attribute: string, value: unknown): string {
    return `${/\d+/.exec(String(item[resource.name]))?.[0]} ${attribute} ${JSON.stringify(value)}`;
  }

  function add(what: string): void {
    // One tells enough.
    if (findings.length === 0) findings.push({ is: 'silent', what });
  }
}

/** Whether a command reads the source; a retry, an approval and an undo do not. */
function isSync(command: string): boolean {
  return /sync|run/.test(command);
}
