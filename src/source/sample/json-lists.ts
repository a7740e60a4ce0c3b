import { formatSteps, pathSchema, type Step } from '../../../connectors/json/path.ts';
import { isObject } from '../../core/record.ts';
import type { Answers, Question } from '../../inference/proposal.ts';

/** How deep a document is searched. */
const DEEPEST = 6;
const SAMPLE_ITEMS = 50;
const MOST_NAMES = 100;

type Item = Readonly<Record<string, unknown>>;

/** A list of objects in a document. */
interface List {
  path: string;
  /** Number of lists around this list. */
  outer: number;
  count: number;
  /** How much the items look like events or accounts: they have a name; a date or an e-mail address. */
  traits: number;
}

/** The place of the records in a document. */
export interface FoundList {
  /** Undefined: the document itself is the list, or has no list of objects. */
  items?: string;
  evidence: string;
  /** If several lists could be meant. */
  question?: Question;
}

/** Finds the list whose items look most like records. */
export function findList(document: unknown, answers: Answers): FoundList {
  // A name may have characters that no path can contain.
  const nameable = listsIn([document], []).filter(({ path }) => pathSchema.safeParse(path).success);
  const lists = nameable.sort(
    (a, b) => b.traits - a.traits || a.outer - b.outer || pastness(a) - pastness(b) || b.count - a.count,
  );
  const [best] = lists;
  if (best === undefined) return { evidence: '' };
  const rivals = lists.filter(({ traits, outer }) => traits === best.traits && outer === best.outer);
  const chosen = lists.find(({ path }) => path === answers.items) ?? best;
  const isOpen = rivals.length > 1 && answers.items === undefined;
  return {
    ...(chosen.path === '$' ? {} : { items: chosen.path }),
    evidence: evidenceOf(chosen, lists),
    ...(isOpen && { question: questionOf(rivals) }),
  };
}

/** Returns 1 for a list of what is over: it is rarely meant, however long it is. */
function pastness({ path }: List): number {
  return Number(/(?:^|[^a-z])(?:past|previous|archived?|expired)/i.test(path));
}

function evidenceOf({ path, count }: List, lists: readonly List[]): string {
  const others = lists.filter((list) => list.path !== path).map((list) => list.path);
  const beside = others.length > 0 ? `; other lists: ${others.slice(0, 5).join(', ')}` : '';
  return `${count} objects${beside}`;
}

function questionOf(lists: readonly List[]): Question {
  const [best] = lists;
  const choices = lists.map(({ path, count }) => ({ value: path, label: `${path} (${count} items)` }));
  return {
    id: 'items',
    line: 'source.items',
    text: 'Which list of the document has the records?',
    choices,
    safe: best?.path ?? '$',
    comment: `The document has several lists that could be meant: ${choices.map(({ label }) => label).join(', ')}.`,
  };
}

/** Finds the lists at a path and below it. @param values the values at the path, in each item of the outer lists */
function listsIn(values: readonly unknown[], steps: readonly Step[]): List[] {
  if (steps.length > DEEPEST) return [];
  const items = values.filter((value) => Array.isArray(value)).flat();
  const objects = items.filter(isObject);
  const lists = objects.length > 0 && objects.length >= items.length * 0.8 ? [listOf(objects, steps)] : [];
  const inner = objects.length > 0 ? membersOf(objects.slice(0, SAMPLE_ITEMS), [...steps, { every: 'item' }]) : [];
  return [...lists, ...inner, ...membersOf(values.filter(isObject), steps)];
}

function membersOf(objects: readonly Item[], steps: readonly Step[]): List[] {
  const [only, ...others] = objects;
  if (only && others.length === 0 && isTable(only)) {
    return [listOf(Object.values(only).filter(isObject), [...steps, { every: 'child' }])];
  }
  const names = new Set(objects.flatMap((object) => Object.keys(object)).slice(0, MOST_NAMES * SAMPLE_ITEMS));
  return [...names].slice(0, MOST_NAMES).flatMap((member) => {
    if (/^errors?$/i.test(member)) return [];
    const values = objects.flatMap((object) => (Object.hasOwn(object, member) ? [object[member]] : []));
    return listsIn(values, [...steps, { member }]);
  });
}

/** Whether the members of an object are records by their ids: objects that have the same names. */
function isTable(object: Item): boolean {
  const members = Object.values(object);
  if (members.length < 2 || !members.every(isObject)) return false;
  const [first = {}] = members;
  const shared = Object.keys(first).filter((name) => members.every((member) => Object.hasOwn(member, name)));
  return shared.length >= 2 && shared.length >= Object.keys(first).length / 2;
}

function listOf(objects: readonly Item[], steps: readonly Step[]): List {
  const leaves = objects.slice(0, SAMPLE_ITEMS).flatMap((object) => leavesOf(object, 3));
  const isNamed = leaves.some(({ name }) => /title|name|summary|subject|headline|tit(el|re|ulo|olo)|\bnom/i.test(name));
  const isDated = leaves.some(({ name, value }) => /date|start|begin|datum|fecha/i.test(name) || isDate(value));
  const isPersonal = leaves.some(({ value }) => /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(value));
  const path = formatSteps(steps).replace(/^\$\./, '');
  const outer = steps.filter((step) => 'every' in step && step.every === 'item').length;
  return { path, outer, count: objects.length, traits: Number(isNamed) + Number(isDated || isPersonal) };
}

function isDate(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./]\d{1,2}[./]\d{4}/.test(value);
}

function leavesOf(object: Item, levels: number): Array<{ name: string; value: string }> {
  return Object.entries(object).flatMap(([name, value]) => {
    if (isObject(value)) return levels > 0 ? leavesOf(value, levels - 1) : [];
    return Array.isArray(value) ? [] : [{ name, value: String(value).slice(0, 200) }];
  });
}
