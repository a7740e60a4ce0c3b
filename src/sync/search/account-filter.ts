import { type AttributeFilter, probeAttributeFilter } from '../../cms/attribute-filter.ts';
import type { CmsAccount, CmsItem, ListQuery, ResourceClient } from '../../cms/client.ts';
import { pageCount } from '../../cms/pages.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';

/** A list of so many pages is read as a whole. */
const FEW_PAGES = 3;

/** "Which accounts have this value?" */
export interface Question {
  attribute: string;
  value: string;
}

/** Asks for accounts by their attributes, if the CMS is known to support that and the list is long. */
export function createAccountFilter(accounts: Pick<ResourceClient<CmsAccount>, 'page'>) {
  let sample: Promise<{ items: CmsItem[]; pages: number }> | undefined;
  const filters = new Map<string, Promise<AttributeFilter | undefined>>();
  let pages = 0;
  let asked = 0;
  return { toQueries, afford, ask };

  /**
   * Returns the queries that ask these questions; undefined if an answer could not be trusted, or if the list is short enough
   * to be read.
   * @throws CmsError
   */
  async function toQueries(questions: readonly Question[]): Promise<ListQuery[] | undefined> {
    ({ pages } = await look());
    if (pages <= FEW_PAGES || questions.length === 0) return undefined;
    const queries: ListQuery[] = [];
    for (const { attribute, value } of questions) {
      const filter = await filterOf(attribute);
      for (const spelled of new Set([value, value.toLowerCase()])) {
        const query = filter?.queryFor(spelled);
        if (!query) return undefined;
        queries.push(query);
      }
    }
    return queries;
  }

  /** Counts queries. Returns false once they cost more than reading the whole list; the count then starts again. */
  function afford(queries: number): boolean {
    asked += queries;
    if (asked <= pages) return true;
    asked = 0;
    return false;
  }

  /** Returns the accounts; undefined if an answer has more than it should. @throws CmsError */
  async function ask(queries: readonly ListQuery[]): Promise<CmsItem[] | undefined> {
    const answers = await Promise.all(queries.map((query) => accounts.page(query)));
    const isWhole = answers.every((answer) => (pageCount(answer) ?? 1) <= 1 && answer.data.length < ITEMS_PER_PAGE);
    return isWhole ? answers.flatMap(({ data }) => data) : undefined;
  }

  /** The first page shows how long the list is, and has values to probe with. */
  function look() {
    sample ??= lookOnce().catch((error: unknown) => {
      sample = undefined;
      throw error;
    });
    return sample;
  }

  async function lookOnce() {
    const page = await accounts.page({ limit: ITEMS_PER_PAGE });
    return { items: page.data, pages: pageCount(page) ?? 0 };
  }

  async function filterOf(attribute: string): Promise<AttributeFilter | undefined> {
    const known = filters.get(attribute) ?? probe(attribute);
    filters.set(attribute, known);
    return known;
  }

  async function probe(attribute: string): Promise<AttributeFilter | undefined> {
    try {
      const { items } = await look();
      const result = await probeAttributeFilter(accounts, attribute, items);
      return result.works ? result.filter : undefined;
    } catch (error) {
      filters.delete(attribute);
      throw error;
    }
  }
}
