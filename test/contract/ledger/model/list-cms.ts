/** An item of the CMS, and what of it a plan wanted. */
interface Item {
  id: number;
  key: string;
  version: number;
}

/** A CMS that is a list of items. */
export interface ListCms {
  readonly items: readonly Readonly<Item>[];
  /** Id of the item that a record of this key left. */
  find(key: string): number | undefined;
  create(key: string, version: number): number;
  /** False: there is no such item. */
  patch(id: number, version: number): boolean;
  /** What an editor may do at any time. */
  remove(key: string): void;
}

/** Ids are unique among all of them, because they share a ledger. */
let lastId = 0;

export function createListCms(): ListCms {
  let items: Item[] = [];
  return {
    get items() {
      return items;
    },
    find: (key) => items.find((item) => item.key === key)?.id,
    create(key, version) {
      lastId += 1;
      items.push({ id: lastId, key, version });
      return lastId;
    },
    patch(id, version) {
      const item = items.find((candidate) => candidate.id === id);
      if (item) item.version = version;
      return item !== undefined;
    },
    remove(key) {
      items = items.filter((item) => item.key !== key);
    },
  };
}
