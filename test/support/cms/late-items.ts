import type { FastifyRequest } from 'fastify';

interface List {
  data: Array<{ id: number | string }>;
  pagination: { count: number | string; total: number | string };
  totalItems: number | string;
}

/** Remembers which items are new, for lists that show new items late. Forgotten when the sandbox ends. */
export function newItems() {
  const createdAt = new Map<string, number>();

  function nameOf(request: FastifyRequest, id: number | string): string {
    return `${request.routeOptions.url} ${id}`;
  }

  return {
    /** @param body what a POST returns */
    note(request: FastifyRequest, body: string): void {
      const { id } = JSON.parse(body) as { id?: number | string };
      if (id !== undefined) createdAt.set(nameOf(request, id), Date.now());
    },
    /** Removes items from a list that were created less than `ms` ago; `counted`: the list still counts these items. */
    hide(request: FastifyRequest, body: string, { ms, counted }: { ms: number; counted: boolean }): string {
      const list = JSON.parse(body) as List;
      const since = Date.now() - ms;
      const data = list.data.filter(({ id }) => (createdAt.get(nameOf(request, id)) ?? 0) <= since);
      const hidden = counted ? 0 : list.data.length - data.length;
      const total = Number(list.totalItems) - hidden;
      const pagination = { ...list.pagination, count: data.length, total };
      return JSON.stringify({ ...list, data, pagination, totalItems: total });
    },
  };
}
