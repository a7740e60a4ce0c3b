/** A Content-Range header (RFC 9110, 14.4); unknown parts are absent. */
export interface ContentRange {
  unit: string;
  first?: number;
  last?: number;
  total?: number;
}

/** Parses a Content-Range header; PostgREST leaves the unit out. */
export function parseContentRange(header: string): ContentRange | undefined {
  const match = /^(?:([\w-]{1,20})[ =:] ?)?(?:(\d{1,15})-(\d{1,15})|\*)\/(?:(\d{1,15})|\*)$/.exec(header.trim());
  if (match === null) return undefined;
  const [, unit = 'items', ...numbers] = match;
  const [first, last, total] = numbers.map((number) => (number === undefined ? undefined : Number(number)));
  return { unit: unit.toLowerCase(), first, last, total };
}
