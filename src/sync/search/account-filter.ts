import { type AttributeFilter, probeAttributeFilter } from '../../cms/attribute-filter.ts';
import type { CmsItem, ListQuery, ResourceClient } from '../../cms/client.ts';
import { pageCount } from '../../cms/pages.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { sharedFor } from '../../core/runtime/shared-answer.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';

/** A list with at most this many pages is read as a whole. */
const FEW_PAGES = 3;

/** Creates a filter that asks for accounts by their attributes, if the CMS is known to support this and the list is long. */
export function createAccountFilter(accounts: Pick<ResourceClient<CmsItem>, 'page'>, { uuid }: Pick<Runtime, 'uuid'>) {
  /** The first page shows how long the list is, and has values to probe with. */
  const firstPage = sharedFor(Number.POSITIVE_INFINITY, () => accounts.page({ limit: ITEMS_PER_PAGE }));
  const probes = new Map<string, () => Promise<AttributeFilter | undefined>>();
  let pages = 0;
  let asked = 0;
  return { toQueries, afford, ask };

  /**
   * Returns the queries for the accounts that have one of these values; undefined if the answers cannot be trusted, or if the
   * list is short enough to be read as a whole.
   * @throws CmsError
   */
  async function toQueries(
    questions: ReadonlyArray<{ attribute: string; value: string }>,
  ): Promise<ListQuery[] | undefined> {
    pages = pageCount(await firstPage()) ?? 0;
    if (pages <= FEW_PAGES || questions.length === 0) return undefined;
    const queries: ListQuery[] = [];
    for (const { attribute, value } of questions) {
      const filter = await probeOf(attribute);
      for (const spelled of new Set([value, value.toLowerCase()])) {
        const query = filter?.(spelled);
        if (!query) return undefined;
        queries.push(query);
      }
    }
    return queries;
  }

  function probeOf(attribute: string): Promise<AttributeFilter | undefined> {
    const probe = async () => probeAttributeFilter(accounts, attribute, (await firstPage()).data, uuid);
    const shared = probes.get(attribute) ?? sharedFor(Number.POSITIVE_INFINITY, probe);
    probes.set(attribute, shared);
    return shared();
  }

  /** Counts queries. Returns false once they cost more than reading the whole list; the count then starts again. */
  function afford(queries: number): boolean {
    asked += queries;
    if (asked <= pages) return true;
    asked = 0;
    return false;
  }

  /** Returns the accounts; undefined if an answer has more accounts than it should. @throws CmsError */
  async function ask(queries: readonly ListQuery[]): Promise<CmsItem[] | undefined> {
    const answers = await Promise.all(queries.map((query) => accounts.page(query)));
    const isWhole = answers.every((answer) => (pageCount(answer) ?? 1) <= 1 && answer.data.length < ITEMS_PER_PAGE);
    return isWhole ? answers.flatMap(({ data }) => data) : undefined;
  }
}
