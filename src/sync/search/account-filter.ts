import { type AttributeFilter, probeAttributeFilter } from '../../cms/attribute-filter.ts';
import type { CmsAccount, CmsItem, ListQuery, ResourceClient } from '../../cms/client.ts';
import { pageCount } from '../../cms/pages.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';

/** So many pages are read rather than asked about. */
const FEW_PAGES = 3;

/** "Which accounts have this value?" */
export interface Question {
  attribute: string;
  value: string;
}

/** Asks for accounts by their attributes, where the CMS was seen to understand that and the list is long. */
export function createAccountQuestions(accounts: Pick<ResourceClient<CmsAccount>, 'page'>) {
  let sample: Promise<{ items: CmsItem[]; pages: number }> | undefined;
  const filters = new Map<string, Promise<AttributeFilter | undefined>>();
  let pages = 0;
  let asked = 0;
  return { write, afford, ask };

  /**
   * The queries that ask this; undefined where an answer could not be trusted, or the list is short enough to be read.
   * @throws CmsError
   */
  async function write(questions: readonly Question[]): Promise<ListQuery[] | undefined> {
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

  /** Whether so many queries still cost no more than the whole list would; they are counted. Once they do, it begins anew. */
  function afford(queries: number): boolean {
    asked += queries;
    if (asked <= pages) return true;
    asked = 0;
    return false;
  }

  /** The accounts; undefined where there are more than an answer should have. @throws CmsError */
  async function ask(queries: readonly ListQuery[]): Promise<CmsItem[] | undefined> {
    const answers = await Promise.all(queries.map((query) => accounts.page(query)));
    const isWhole = answers.every((answer) => (pageCount(answer) ?? 1) <= 1 && answer.data.length < ITEMS_PER_PAGE);
    return isWhole ? answers.flatMap(({ data }) => data) : undefined;
  }

  /** The first page tells how long the list is, and has values to probe with. */
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
