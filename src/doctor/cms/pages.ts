import type { CmsItem } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import type { Page } from '../../cms/items.ts';
import { pageCount } from '../../cms/pages.ts';
import type { Finding } from '../findings/finding.ts';
import { type CmsList, ITEMS_A_PAGE } from './cms-list.ts';

const MANY_ITEMS = 1000;

type Answer = { page: Page<CmsItem> } | { refused: number };

/** How many items the CMS gives at once, whatever is asked for (API: "Maximum value of limit": not shown). */
export async function* checkPageLimit(list: CmsList, first: Page<CmsItem>): AsyncGenerator<Finding> {
  const many = await ask(list, { limit: MANY_ITEMS });
  const given = 'refused' in many ? `answers ${many.refused}` : `gives ${sizeOf(many.page)}`;
  const message = `${list.name}: asked for ${ITEMS_A_PAGE} items it gives ${sizeOf(first)}, asked for ${MANY_ITEMS} it ${given}.`;
  yield { check: 'cms.page-limit', is: 'ok', message };
}

function sizeOf({ pagination, data }: Page<CmsItem>): string {
  return pagination?.perPage ? `pages of ${pagination.perPage}` : `${data.length}, without telling its page size`;
}

/** What a list does at its end (API: "Behaviour on the last page or for an out-of-range page number": not shown). */
export async function* checkLastPage(list: CmsList, first: Page<CmsItem>): AsyncGenerator<Finding> {
  const check = 'cms.last-page';
  const pages = pageCount(first);
  if (pages === undefined) {
    const message = `${list.name}: it does not count its pages; its end is found out when it is read.`;
    yield { check, is: 'ok', message };
    return;
  }
  const last = pages > 1 ? await list.page({ limit: ITEMS_A_PAGE, page: pages }) : first;
  const beyond = await ask(list, { limit: ITEMS_A_PAGE, page: pages + 1 });
  const leadsOn = Boolean(last.pagination?.links?.next);
  yield {
    check,
    ...judge(list, beyond, { known: new Set([...first.data, ...last.data].map(({ id }) => id)), leadsOn }),
  };
}

function judge(
  { name }: CmsList,
  beyond: Answer,
  { known, leadsOn }: { known: Set<number>; leadsOn: boolean },
): Omit<Finding, 'check'> {
  const says = (what: string) =>
    `${name}: beyond its last page it ${what}${leadsOn ? ', and the last page names it as the next one' : ''}.`;
  if ('refused' in beyond) {
    const message = says(`answers ${beyond.refused}`);
    if (beyond.refused < 500 || !leadsOn) return { is: 'ok', message };
    const follows = 'The list cannot be read to its end, and so creates in doubt cannot be looked for.';
    return { is: 'problem', message, follows, remedy: 'Ask the host of the site.' };
  }
  if (beyond.page.data.length === 0) return { is: 'ok', message: says('gives an empty one') };
  if (beyond.page.data.every(({ id }) => known.has(id))) return { is: 'ok', message: says('repeats an earlier one') };
  return {
    is: 'warning',
    message: says('gives items that it has not counted'),
    follows: 'Items that are not counted may be overlooked when creates in doubt are looked for.',
    remedy: 'Run it again, for items may have been added meanwhile; if it stays, ask the host of the site.',
  };
}

/** The page, or the status by which the CMS refuses this very page; what says more than that is thrown. */
async function ask(list: CmsList, query: { limit: number; page?: number }): Promise<Answer> {
  try {
    return { page: await list.page(query) };
  } catch (error) {
    const { status, kind } = error instanceof CmsError ? error : {};
    if (status !== undefined && (kind === 'permanent' || status >= 500)) return { refused: status };
    throw error;
  }
}
