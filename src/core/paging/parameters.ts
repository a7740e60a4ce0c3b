import { plainName } from './names.ts';

/** Query parameters with the number of the page, with the number of items before it, and with its size. */
export const pageParameter = /^(page|p|pg|paged|pageno|pagenum|pagenumber|pageindex|currentpage)$/;
export const offsetParameter = /^(offset|skip|start|startindex|startat|from|resultoffset|pageoffset)$/;
export const limitParameter =
  /^(limit|perpage|pagesize|pp|top|rows|maxresults|maxrecords|resultrecordcount|pagelimit|size|count)$/;

/** Returns the parameters of an address that have one of these names and a number. */
export function numbersIn(query: URLSearchParams | undefined, names: RegExp): Array<{ name: string; value: number }> {
  return [...(query ?? [])]
    .filter(([name, value]) => names.test(plainName(name)) && /^\d{1,9}$/.test(value))
    .map(([name, value]) => ({ name, value: Number(value) }));
}
