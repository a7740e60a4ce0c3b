import type { CmsItem } from '../../cms/client.ts';
import { CmsError } from '../../cms/errors.ts';
import type { Page } from '../../cms/items.ts';
import { pageCount } from '../../cms/pages.ts';
import { type Finding, ok } from '../findings/finding.ts';
import { type CmsList, ITEMS_A_PAGE } from './cms-list.ts';

const MANY_ITEMS = 1000;

type Answer = { page: Page<CmsItem> } | { refused: number };

/** Reports how many items the CMS returns at once, regardless of `limit` (API: "Maximum value of limit": not shown). */
export async function checkPageLimit(list: CmsList, first: Page<CmsItem>): Promise<Finding> {
  const many = await ask(list, { limit: MANY_ITEMS });
  const result = 'refused' in many ? `status ${many.refused}` : sizeOf(many.page);
  const message = `${list.name}: a limit of ${ITEMS_A_PAGE} returns ${sizeOf(first)}, a limit of ${MANY_ITEMS} ${result}.`;
  return ok('cms.page-limit', message);
}

function sizeOf({ pagination, data }: Page<CmsItem>): string {
  return pagination?.perPage ? `pages of ${pagination.perPage}` : `${data.length} items without a page size`;
}

/** Checks the end of a list (API: "Behaviour on the last page or for an out-of-range page number": not shown). */
export async function checkLastPage(list: CmsList, first: Page<CmsItem>): Promise<Finding> {
  const check = 'cms.last-page';
  const pages = pageCount(first);
  if (pages === undefined) {
    return ok(check, `${list.name}: the list does not count its pages. Its end is found by reading it.`);
  }
  const last = pages > 1 ? await list.page({ limit: ITEMS_A_PAGE, page: pages }) : first;
  const beyond = await ask(list, { limit: ITEMS_A_PAGE, page: pages + 1 });
  const leadsOn = Boolean(last.pagination?.links?.next);
  const says = (what: string) =>
    `${list.name}: the page after the last one ${what}${leadsOn ? ', and the last page links to it' : ''}.`;
  if ('refused' in beyond) {
    const message = says(`returns status ${beyond.refused}`);
    if (beyond.refused < 500 || !leadsOn) return ok(check, message);
    const follows = 'The list cannot be read to its end, so unconfirmed creates cannot be looked up.';
    return { check, is: 'problem', message, follows, remedy: 'Ask the host of the site.' };
  }
  if (beyond.page.data.length === 0) return ok(check, says('is empty'));
  const known = new Set([...first.data, ...last.data].map(({ id }) => id));
  if (beyond.page.data.every(({ id }) => known.has(id))) return ok(check, says('repeats an earlier page'));
  return {
    check,
    is: 'warning',
    message: says('has items that are not counted'),
    follows: 'Items that are not counted may be overlooked when unconfirmed creates are looked up.',
    remedy: 'Run doctor again: items may have been added meanwhile. If it stays, ask the host of the site.',
  };
}

/** Returns the page, or the status if the CMS refuses only this page. Throws any other error. */
async function ask(list: CmsList, query: { limit: number; page?: number }): Promise<Answer> {
  try {
    return { page: await list.page(query) };
  } catch (error) {
    const { status, kind } = error instanceof CmsError ? error : {};
    if (status !== undefined && (kind === 'permanent' || status >= 500)) return { refused: status };
    throw error;
  }
}
