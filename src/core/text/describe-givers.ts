/** Which sources have an event, and what each of them gives. */
export interface EventSources {
  /** The source that publishes it; absent: it is not published yet. */
  publisher?: string | undefined;
  /** Attribute → the source that gives its value, if it is not the publisher. */
  givenBy: Readonly<Record<string, string>>;
  members: ReadonlyArray<{ key: string; source: string; is: string }>;
}

const OTHERS: Readonly<Record<string, string>> = {
  covered: 'also in',
  astray: 'no longer the same in',
  missing: 'no longer in',
  withdrawn: 'withdrawn by',
};

/** Says which source publishes an event, what comes from others, and which have it too. */
export function describeGivers({ publisher, givenBy, members }: EventSources): string {
  if (publisher === undefined) return 'Not published yet';
  const given = Map.groupBy(Object.entries(givenBy), ([, source]) => source);
  const parts = [...given].map(([source, values]) => `${values.map(([name]) => name).join(', ')} from ${source}`);
  const others = Map.groupBy(
    members.filter(({ source, is }) => OTHERS[is] !== undefined && !(is === 'covered' && given.has(source))),
    ({ is }) => OTHERS[is],
  );
  for (const [words, some] of others) parts.push(`${words} ${some.map(({ source }) => source).join(', ')}`);
  return [`Published by ${publisher}`, ...parts].join('; ');
}
