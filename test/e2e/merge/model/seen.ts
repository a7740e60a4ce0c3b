import type { RunReport } from '../../../../src/core/run.ts';
import type { AskedQuestion } from '../../../../src/sync/merge/event-questions.ts';
import type { Site } from '../../site.ts';
import { type Known, tagOf, type World } from './world.ts';

/** An item of the sync in the CMS. */
export interface SeenItem {
  id: number;
  /** Key in its external id. */
  key: string;
  title: string;
  date: string;
  start: string;
  place: string;
  text: string;
  tag: string;
}

export interface SeenQuestion {
  id: string;
  why: string;
  records: string[];
}

export interface Seen {
  items: SeenItem[];
  questions: SeenQuestion[];
  /** Items that an editor created. */
  editors: string;
  report?: RunReport;
}

/** Sees what the CMS has, and what people are asked. */
export async function look(site: Site, run: { report?: RunReport; asked: AskedQuestion[] }): Promise<Seen> {
  const all = await site.items('calendar/events');
  const ours = all.filter((item) => item.source_key);
  return {
    items: ours.map(toItem),
    editors: JSON.stringify(all.filter((item) => !item.source_key)),
    questions: run.asked.map(({ id, why, records }) => ({ id, why, records: records.map(({ key }) => key) })),
    ...(run.report && { report: run.report }),
  };
}

function toItem(item: Record<string, unknown>): SeenItem {
  const time = item.time as { start?: string; isAllDay?: boolean } | undefined;
  return {
    id: Number(item.id),
    key: String(item.source_key).replace(/^campus:/, ''),
    title: String(item.title),
    date: String(item.date),
    start: time?.isAllDay ? '' : (time?.start?.slice(0, 5) ?? ''),
    place: String(item.location ?? ''),
    text: String(item.description ?? ''),
    tag: String(item.tag ?? ''),
  };
}

/** The record that publishes an item, if its source is known to have it. */
export function publisherOf(world: World, { tag }: SeenItem): Known | undefined {
  return world.known.get(tag.split('@')[0] ?? '');
}

export const isCurrent = ({ tag }: SeenItem, { source, entry }: Known) => tag === tagOf(source, entry);
