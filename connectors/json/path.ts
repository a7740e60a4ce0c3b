/** One step into a JSON document: a member, or every item of a list. */
export type Step = { member: string } | { every: true };

/**
 * Reads a path to a list: `$`, `people`, `data.items`, `$.people[*]`, `$['odd name'].items`. A final `[*]` may be left out.
 * @returns the steps to the list, or undefined where the path is not understood.
 */
export function parsePath(path: string): Step[] | undefined {
  const steps: Step[] = [];
  let rest = path.trim().replace(/^\$/, '');
  while (rest !== '') {
    const match =
      /^\.?\[\*\]/.exec(rest) ??
      /^\[(?:'(?<single>[^']*)'|"(?<double>[^"]*)")\]/.exec(rest) ??
      /^\.?(?<name>[^.[\]$*]+)/.exec(rest);
    if (match === null) return undefined;
    const member = match.groups?.single ?? match.groups?.double ?? match.groups?.name;
    steps.push(member === undefined ? { every: true } : { member });
    rest = rest.slice(match[0].length);
  }
  const last = steps.at(-1);
  if (last !== undefined && 'every' in last) steps.pop();
  return steps;
}

/** Whether the keys that lead to a value are those that the steps ask for. */
export function matches(steps: readonly Step[], keys: ReadonlyArray<string | number>): boolean {
  return (
    steps.length === keys.length &&
    steps.every((step, index) => ('every' in step ? typeof keys[index] === 'number' : step.member === keys[index]))
  );
}

/** Keys as people read them: `$.people[4]`, `$['odd name']`. */
export function showPath(keys: ReadonlyArray<string | number>): string {
  const show = (key: string | number) => {
    if (typeof key === 'number') return `[${key}]`;
    return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? `.${key}` : `['${key.slice(0, 100)}']`;
  };
  return `$${keys.map(show).join('')}`;
}
