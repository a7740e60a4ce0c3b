/** One step into a JSON document: a member, an item, every item of a list, every child, or any number of levels. */
export type Step = { member: string } | { index: number } | { every: 'item' | 'child' } | { descend: true };

/** Keys that lead to a value. */
export type Keys = ReadonlyArray<string | number>;

const patterns = {
  descend: /^\.\.(?=[^.])/,
  everyItem: /^\[\*\]/,
  everyChild: /^\.\*/,
  index: /^\[(0|[1-9]\d*)\]/,
  quoted: /^\[\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/s,
  name: /^\.([^.[\]$*?@()'"]+)/,
};

/**
 * Reads a path: JSONPath (RFC 9535) as far as it can be followed while a document streams by, or a dotted path. That is
 * `$`, names, `['quoted names']`, indexes from 0, `[*]` (every item of a list), `.*` (every child) and `..`.
 * @returns the steps, or the part that is not understood.
 */
export function parsePath(path: string): { steps: Step[] } | { unknown: string } {
  const steps: Step[] = [];
  let rest = path.trim().replace(/^\$/, '');
  // A dotted path starts with a name, and so does what follows "..".
  if (/^[^.[]/.test(rest)) rest = `.${rest}`;
  while (rest !== '') {
    const parsed = parseStep(rest);
    if (parsed === undefined) return { unknown: rest };
    steps.push(parsed.step);
    rest = rest.slice(parsed.length);
    if ('descend' in parsed.step && !rest.startsWith('[')) rest = `.${rest}`;
  }
  return { steps };
}

function parseStep(rest: string): { step: Step; length: number } | undefined {
  const match = (name: keyof typeof patterns) => patterns[name].exec(rest);
  const found = (step: Step, { 0: { length } }: RegExpExecArray) => ({ step, length });
  const descend = match('descend');
  if (descend) return found({ descend: true }, descend);
  const item = match('everyItem');
  if (item) return found({ every: 'item' }, item);
  const child = match('everyChild');
  if (child) return found({ every: 'child' }, child);
  const index = match('index');
  if (index) return found({ index: Number(index[1]) }, index);
  const quoted = match('quoted');
  if (quoted) return found({ member: (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/gs, '$1') }, quoted);
  const name = match('name');
  return name ? found({ member: name[1] ?? '' }, name) : undefined;
}

/** Whether the keys that lead to a value are those that the steps ask for. */
export function matches(steps: readonly Step[], keys: Keys, fromStep = 0, fromKey = 0): boolean {
  const step = steps[fromStep];
  const key = keys[fromKey];
  if (step === undefined) return key === undefined;
  if ('descend' in step && matches(steps, keys, fromStep + 1, fromKey)) return true;
  if (key === undefined) return false;
  if ('descend' in step) return matches(steps, keys, fromStep, fromKey + 1);
  return accepts(step, key) && matches(steps, keys, fromStep + 1, fromKey + 1);
}

function accepts(step: Exclude<Step, { descend: true }>, key: string | number): boolean {
  if ('member' in step) return key === step.member;
  if ('index' in step) return key === step.index;
  return step.every === 'child' || typeof key === 'number';
}

/** Keys as people read them: `$.people[4]`, `$['odd name']`. */
export function formatPath(keys: Keys): string {
  return `$${keys.map(formatKey).join('')}`;
}

/** One key as people read it, to be put after a path. */
export function formatKey(key: string | number): string {
  if (typeof key === 'number') return `[${key}]`;
  return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(key) ? `.${key}` : `['${key.slice(0, 100).replace(/\p{Cc}/gu, '?')}']`;
}

/** Steps as people write them. */
export function formatSteps(steps: readonly Step[]): string {
  return `$${steps.map(showStep).join('')}`.replace('...', '..');
}

function showStep(step: Step): string {
  if ('descend' in step) return '..';
  if ('every' in step) return step.every === 'item' ? '[*]' : '.*';
  return formatKey('member' in step ? step.member : step.index);
}
