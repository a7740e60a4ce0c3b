/** The addresses of all pages, for links and forms. */

export function syncPath(
  sync: string,
  part?:
    | 'runs'
    | 'rejects'
    | 'rejects.csv'
    | 'verification'
    | 'questions'
    | 'pictures'
    | 'purge'
    | 'change'
    | 'upload'
    | 'edits',
): string {
  return `/syncs/${encodeURIComponent(sync)}${part ? `/${part}` : ''}`;
}

/** @param other what the page compares the record with, besides the ledger */
export function recordPath(sync: string, key: string, other?: 'feed' | 'cms' | 'both'): string {
  return withQuery(`${syncPath(sync)}/record`, { key, with: other });
}

/** Leads to the item of a record, on the site or where it is edited. */
export function itemPath(sync: string, key: string, place?: 'cms'): string {
  return withQuery(`${syncPath(sync)}/item`, { key, in: place });
}

/** @param sync the sync whose records are shown; if absent, the records of all syncs */
export function recordsPath(sync?: string): string {
  return sync === undefined ? '/records' : `${syncPath(sync)}/records`;
}

export function runPath(run: string, part?: 'undo' | 'plan'): string {
  return `/runs/${encodeURIComponent(run)}${part ? `/${part}` : ''}`;
}

export function dayPath(day?: string): string {
  return withQuery('/day', { day });
}

export function calendarPath(month?: string, sync?: string): string {
  return withQuery('/calendar', { month, sync });
}

/** Fills the parameters of a pattern such as `/syncs/:sync/run`. */
export function filledPath(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** Adds the query parameters that have a value. */
export function withQuery(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((each): each is [string, string] => Boolean(each[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
