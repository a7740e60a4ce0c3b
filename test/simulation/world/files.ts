/** How the image of a record changes; `share` and `copy` take that of the next record. */
export type ImageEdit = 'replace' | 'move' | 'remove' | 'share' | 'copy';

/** A file as its server has it. */
export interface SourceFile {
  content: string;
  /** Absent: the server sends no validators, so nothing tells that the file has changed. */
  etag?: string;
}

/** The files that records of the source name: on this machine and on a web server. */
export type Files = ReturnType<typeof createFiles>;

/** @param options `haveSameNames`: whether all files have one name, each in a folder of its own */
export function createFiles({ haveSameNames = false } = {}) {
  const files = new Map<string, SourceFile>();
  const failing = new Set<string>();
  let next = 1;
  let areAway = false;
  return { at, isAway, away, fail, repairAll: () => failing.clear(), add, replace };

  function at(location: string): SourceFile | undefined {
    return files.get(location);
  }

  /** Whether a file cannot be read. */
  function isAway(location: string): boolean {
    return areAway || failing.has(location);
  }

  /** Whether no file can be read. */
  function away(is: boolean): void {
    areAway = is;
  }

  /** Whether one file cannot be read. */
  function fail(location: string, fails: boolean): void {
    if (fails) failing.add(location);
    else failing.delete(location);
  }

  /** Adds a file. @returns its location */
  function add(content = `picture ${next}`): string {
    const number = next;
    next += 1;
    const name = haveSameNames ? `${number}/photo.png` : `${number}.png`;
    const location = number % 2 === 0 ? `/files/${name}` : `https://files.example/${name}`;
    files.set(location, { content, ...(number % 3 === 0 ? {} : { etag: `"${content}"` }) });
    return location;
  }

  /** Lets a file have other content; at another address if nobody could notice. @returns its location */
  function replace(location: string): string {
    if (files.get(location)?.etag === undefined && location.startsWith('https:')) return add();
    const content = `picture ${next}`;
    next += 1;
    files.set(location, { content, etag: `"${content}"` });
    return location;
  }
}
