import type { SimulatedCms } from './cms.ts';

/** An item as the CMS shows it. */
export type Item = Record<string, unknown> & { id: number };

/** All items of the CMS. */
export function itemsOf(cms: SimulatedCms): Item[] {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { status, text } = cms.answer({
      method: 'GET',
      path: '/calendar/events',
      query: `limit=100&page=${page}&sort=id`,
    });
    const { data } = status === 200 ? JSON.parse(text) : { data: [] };
    items.push(...data);
    if (data.length < 100) return items;
  }
}
