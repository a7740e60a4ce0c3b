/** Cursor of the page that follows one that is ordered by keys; nothing after the last page. */
export function nextAfter(page: ReadonlyArray<{ key: string }>, limit: number): { next?: string } {
  const last = page.at(-1);
  return last !== undefined && page.length >= limit ? { next: last.key } : {};
}
