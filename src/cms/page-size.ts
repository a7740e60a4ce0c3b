import { CmsError } from './errors.ts';

/** Smaller pages to ask for if the CMS refuses a size; undefined: without `limit`, so that it takes its default. */
const smallerSizes = [100, 50, 20, undefined];

const aboutLimit = /\b(limit|per[ _-]?page|page[ _-]?size|items|results|maximum|too (many|large))\b/i;

/** The sizes of pages that a CMS takes, learned from its responses (API: "Maximum value of limit": not shown). */
export type PageSizes = ReturnType<typeof createPageSizes>;

/** Creates the memory of one client: what the CMS has refused for a list is not asked for again. */
export function createPageSizes() {
  const lists = new Map<string, { accepted: number; limit?: { is: number | undefined } }>();
  return { readFirst, allowed };

  /** Returns the size to ask for: at most the one that the CMS is known to take. */
  function allowed(list: string, limit: number | undefined): number | undefined {
    const known = lists.get(list)?.limit;
    if (limit === undefined || known === undefined) return limit;
    return known.is === undefined ? undefined : Math.min(known.is, limit);
  }

  /**
   * Sends a request for a first page. If the CMS refuses it, and may do so because of its size, sends it again for smaller
   * pages. Further pages must not change their size, because they would begin elsewhere.
   * @throws CmsError of the first request, if smaller pages are refused, too
   */
  async function readFirst<Page>(
    list: string,
    wanted: number | undefined,
    send: (limit: number | undefined) => Promise<Page>,
  ): Promise<{ page: Page; limit: number | undefined }> {
    const limit = allowed(list, wanted);
    const known = lists.get(list) ?? { accepted: 0 };
    lists.set(list, known);
    try {
      const page = await send(limit);
      known.accepted = Math.max(known.accepted, limit ?? 0);
      return { page, limit };
    } catch (error) {
      if (limit === undefined || !isRefused(error)) throw error;
      // The size was taken before: something else is wrong, unless the CMS says so.
      if (limit <= known.accepted && !isAboutLimit(error)) throw error;
      for (const size of smallerSizes.filter((one) => one === undefined || one < limit)) {
        const page = await send(size).catch(unlessRefused);
        if (page === undefined) continue;
        known.limit = { is: size };
        return { page, limit: size };
      }
      throw error;
    }
  }
}

function isRefused(error: unknown): error is CmsError {
  return error instanceof CmsError && [400, 413, 422].includes(error.status ?? 0);
}

function isAboutLimit({ errors, message }: CmsError): boolean {
  return [message, ...errors.flatMap(({ title, detail }) => [title, detail])].some((text) =>
    aboutLimit.test(text ?? ''),
  );
}

function unlessRefused(error: unknown): undefined {
  if (!isRefused(error)) throw error;
}
