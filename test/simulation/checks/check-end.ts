import type { SimulatedResource } from '../plan/resources.ts';
import type { Settings } from '../plan/settings.ts';
import { EXTERNAL_ID, hasOtherSync, OTHER_SYNC, PLACE, SYNC } from '../plan/settings.ts';
import type { SimulatedCms } from '../world/cms.ts';
import type { Database } from '../world/database.ts';
import type { Editors } from '../world/editors.ts';
import { type Item, itemsOf, valueIn } from '../world/items.ts';
import type { Rows } from '../world/rows.ts';
import type { Row } from '../world/source.ts';
import { checkUploads, contentOf } from './check-uploads.ts';
import type { Finding } from './finding.ts';

interface CheckedSite {
  database: Database;
  cms: SimulatedCms;
  rows: Rows;
  /** Of the other sync. */
  other: Rows;
  changes: { mapsPlace: boolean };
  editors: Editors;
  settings: Settings;
  resource: SimulatedResource;
  disasters: ReadonlySet<string>;
}

/** Whether the CMS has each record of the source once, as the source has it, and everything of the editors. */
export function checkItems(site: CheckedSite): Finding[] {
  const { database, cms, rows, editors, settings, resource, disasters } = site;
  const items = itemsOf(cms);
  const findings: Finding[] = [];
  // What editors own of an item that was adopted stays as it is; what no item has taken any longer is ignored by the CMS.
  const mayBeIgnored = settings.features.includes('dropped attributes') && database.hasUndone();
  const ignored = (settings.editorsOwn && disasters.size > 0) || mayBeIgnored ? resource.text : undefined;
  // An item that has lost its external id, as the CMS was restored: a person is asked.
  const mayBeUnmarked = settings.features.includes('a PATCH that replaces') && disasters.size > 0;
  const ours = items.filter(({ id }) => !editors.own.has(id));
  const nameOf = (item: Item) => String(item[settings.externalId ? EXTERNAL_ID : resource.name]);
  const byKey = Map.groupBy(ours, nameOf);
  for (const { row, sync, isAlike } of rowsOf(site)) {
    const name = settings.externalId ? `${sync}:${row.id}` : String(row[resource.name]);
    const found = byKey.get(name) ?? items.filter((item) => isLeftCopy(item) && nameOf(item) === name);
    byKey.delete(name);
    const [item] = found;
    if (found.length > 1) findings.push({ is: 'doubled', what: `${name} is in the CMS as ${idsOf(found)}` });
    else if (item) {
      // So does what they own of a copy that they have made, once it is the record's.
      const isTakenCopy = settings.editorsOwn && isLeftCopy(item);
      findings.push(...compare(name, row, item, { ...site, ignored: isTakenCopy ? resource.text : ignored }));
    } else if (!editors.deleted.has(name) && !((isAlike || mayBeUnmarked) && isThere(row)))
      findings.push({ is: 'lost', what: `${name} is not in the CMS` });
  }
  // Nothing tells which item a record has if it was created again since the backup, and the source no longer has it.
  const mayBeTwo = !settings.externalId && disasters.has('ledger is older');
  for (const [name, left] of byKey) {
    if (left.length > 1 && !mayBeTwo)
      findings.push({
        is: 'doubled',
        what: `${name}, which the source no longer has, is in the CMS as ${idsOf(left)}`,
      });
    // What a delete without an answer has left under another id looks like a copy.
    else if (settings.missing === 'delete' && !disasters.has('ids have moved'))
      findings.push({ is: 'doubled', what: `${name} is not in the source, but in the CMS as ${idsOf(left)}` });
  }
  // If two records have swapped their keys and one of them is missing, its item has the name of the other.
  if (hasOtherSync(settings) && !rows.haveSwapped()) findings.push(...checkSite(ours, resource));
  // Of what was lost and recovered, it does not know the files.
  if (disasters.size === 0) findings.push(...checkUploads(database, cms, ours));
  // What a PATCH has lost is given back with the next delivery, and a record that has left the source has none.
  const present = new Set(rowsOf(site).map(({ row }) => row[resource.name]));
  const mayLose = settings.features.includes('a lost note');
  const isLeftOut = (item: Item) => mayLose && !present.has(String(item[resource.name]));
  return [...findings, ...checkEditors(items, editors, isLeftOut)];

  /** Whether the site has an item with its name, or had one. Editors may have renamed or deleted it. */
  function isThere(row: Row): boolean {
    const names = [row[resource.name], resource.renamed(row)[resource.name]].map(String);
    return editors.deleted.has(names[0] ?? '') || ours.some((item) => names.includes(String(item[resource.name])));
  }

  /** A copy whose original was deleted may have been taken for it. */
  function isLeftCopy({ id }: Item): boolean {
    return editors.own.has(id) && !editors.isOwn(id);
  }
}

/**
 * The records of all syncs. Of two that are alike, one is to be in the CMS: that which was there first, also if its source no
 * longer has it. Without external ids, both are the same one.
 */
function rowsOf({ rows, other, settings, resource: { name } }: CheckedSite) {
  const mayBeAlike = hasOtherSync(settings);
  const all = rows.rows();
  const others = other.rows();
  const isIn = (some: readonly Row[], row: Row) => some.some((each) => each[name] === row[name]);
  return [
    ...all.map((row) => ({ row, sync: SYNC, isAlike: mayBeAlike && isIn(others, row) })),
    ...others
      .filter((row) => settings.externalId || !isIn(all, row))
      .map((row) => ({ row, sync: OTHER_SYNC, isAlike: mayBeAlike })),
  ];
}

/** Nothing is on the site twice, whichever sync has it. */
function checkSite(items: readonly Item[], { name }: SimulatedResource): Finding[] {
  const twice = [...Map.groupBy(items, (item) => item[name])].filter(([, found]) => found.length > 1);
  return twice.map(([named, found]) => ({ is: 'doubled', what: `${named} is on the site as ${idsOf(found)}` }));
}

function compare(
  name: string,
  row: Row,
  item: Item,
  {
    cms,
    rows,
    other,
    editors,
    changes,
    settings: { editorsOwn, hasTwoSources },
    resource,
    disasters,
    ignored,
  }: CheckedSite & { ignored?: string },
): Finding[] {
  const described = editors.described.get(item.id)?.text;
  // An edit of what the source owns stays until the source changes.
  const keepsEdit = described !== undefined && (editorsOwn || (item[resource.text] ?? '') === described);
  const current = contentOf(item, cms);
  // A file of an item that was adopted stays if the source has none.
  const image = row.image || disasters.size === 0 ? rows.files.at(row.image ?? '')?.content : current;
  // The item of what two sources have may be that of the other source, which has no images.
  const isShared = other.rows().some((each) => each[resource.name] === row[resource.name]);
  const wanted = { ...resource.wanted(row), [resource.text]: keepsEdit ? described || undefined : row.text, image };
  const place = changes.mapsPlace ? { [PLACE]: row.place } : {};
  const edited: Record<string, unknown> = editors.changed.get(item.id) ?? {};
  return Object.entries({ ...wanted, ...place }).flatMap(([attribute, value]) => {
    const has = attribute === 'image' ? current : valueIn(item, attribute);
    // An edit stays until the source changes the attribute; if the ledger was lost, nothing tells which was later.
    // With `keep`, the first one of two sources does not give up its image.
    const mayBeOthers = hasTwoSources || has === undefined || !('image' in row);
    if (attribute === 'image' && isShared && mayBeOthers) return [];
    // An event that its first source has lost stays as that had it, without what the sync maps since.
    if (attribute === PLACE && isShared && hasTwoSources && has === undefined) return [];
    if (attribute === ignored || has === value || (attribute in edited && has === edited[attribute])) return [];
    const what = `${name} (id ${item.id}) has ${attribute} ${JSON.stringify(has)} instead of "${value}"`;
    return [{ is: 'wrong content', what }];
  });
}

function checkEditors(items: readonly Item[], editors: Editors, isLeftOut: (item: Item) => boolean): Finding[] {
  const now = new Map(items.map((item) => [item.id, item]));
  const findings: Finding[] = [];
  for (const [id, { item: before }] of editors.own) {
    const found = JSON.stringify(now.get(id) ?? null);
    if (editors.isOwn(id) && before !== undefined && found !== before)
      findings.push({ is: 'overwritten', what: `the editors' item ${id} was ${before} and is ${found}` });
  }
  for (const [id, { text }] of editors.noted) {
    const item = now.get(id);
    if (item && item.note !== text && !isLeftOut(item))
      findings.push({ is: 'overwritten', what: `the editors' note on ${id} is ${JSON.stringify(item.note)}` });
  }
  return findings;
}

function idsOf(items: readonly Item[]): string {
  return items.map(({ id }) => id).join(', ');
}
