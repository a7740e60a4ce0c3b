import { attributeMistake } from '../../core/attribute-names.ts';
import { derivedAttributes, shorthands, standardAttributes } from '../../core/attributes.ts';
import type { AnyConnector } from '../../core/connector.ts';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import type { Resource } from '../../core/record.ts';
import { didYouMean } from '../../core/suggest.ts';
import type { SyncRule, SyncRules } from '../schema/rules-schema.ts';
import { type Issue, writtenPath } from './validate.ts';

/** The keys of a sync, or of one of its sources, that say what it gives. */
interface Giving {
  resource: Resource;
  map?: Readonly<Record<string, { value?: unknown }>> | undefined;
  mapFunction?: unknown;
  attachments: object;
  source: { connector: string };
}

/** What a sync, or all its sources together, gives. */
interface Given {
  resource: Resource;
  /** The attributes that may have a value; absent: any, because a function maps. */
  mapped?: ReadonlySet<string>;
  files: ReadonlySet<string>;
  externalId?: string | undefined;
}

const ofFiles = ['required', 'https', 'image', 'then', 'message'];
/** What every event has. Start and end are those of its days and times. */
const ofEvents = ['title', 'start', 'end', 'time.start', 'time.end', 'time.type', ...derivedAttributes];

/**
 * Checks the rules of a sync: whether what the sync gives can keep them.
 * @param syncs the sync, or each of its sources
 * @param written `rules` as written in the file
 */
export function checkRules(
  rules: SyncRules = {},
  syncs: readonly Giving[],
  written: unknown,
  {
    connectors,
    target,
  }: { connectors: readonly AnyConnector[]; target: { externalId?: string | undefined } | undefined },
): Issue[] {
  const given = givenBy(syncs, connectors, target?.externalId);
  return Object.entries(rules).flatMap(([name, ofAttribute]) => {
    const path = ['rules', name];
    const mistake = nameMistake(name, given);
    if (mistake !== undefined) return [{ path, part: 'key' as const, message: mistake }];
    return ofAttribute.flatMap((rule, index): Issue[] => {
      const { key, message } = ruleMistake(rule, name, given) ?? {};
      const place = [name, index, ...(key === undefined ? [] : [key])];
      return message === undefined ? [] : [{ path: ['rules', ...writtenPath(place, written)], part: 'value', message }];
    });
  });
}

function givenBy(syncs: readonly Giving[], connectors: readonly AnyConnector[], externalId?: string): Given {
  const [{ resource } = { resource: 'events' as const }] = syncs;
  const files = new Set(syncs.flatMap(({ attachments }) => Object.keys(attachments)));
  if (syncs.some(({ mapFunction }) => mapFunction)) return { resource, files, externalId };
  const mapped = syncs.flatMap(({ map, source }) => {
    const defaultMap = connectors.find(({ kind }) => kind === source.connector)?.defaultMap;
    const byName = map || defaultMap ? {} : standardAttributes[resource];
    const filled = Object.entries(map ?? {}).filter(([, { value }]) => value !== null && value !== '');
    const emptied = Object.keys(map ?? {}).filter((name) => !filled.some(([other]) => other === name));
    return [
      ...Object.keys({ ...byName, ...defaultMap }).filter((name) => !emptied.includes(name)),
      ...filled.map(([name]) => name),
    ];
  });
  return { resource, mapped: new Set(mapped), files, externalId };
}

function nameMistake(name: string, { resource, mapped, files, externalId }: Given): string | undefined {
  if (files.has(name) || (resource === 'events' && ofEvents.includes(name))) return undefined;
  if (resource === 'events' && Object.hasOwn(shorthands, name)) return 'is a shorthand, which is not published';
  if (resource === 'accounts' && name === 'password') return 'is never shown, and has no rules';
  const mistake = attributeMistake(name, resource, externalId);
  if (mistake !== undefined || !mapped || mapped.has(name)) return mistake;
  return `never has a value: neither map nor attachments name it${didYouMean(name, [...mapped, ...files])}`;
}

/** A mistake in a rule, or in one of its keys. */
interface Mistake {
  key?: string;
  message: string;
}

function ruleMistake(rule: SyncRule, name: string, given: Given): Mistake | undefined {
  const { minLength = 0, maxLength, oneOf, noneOf = [], before, after, image } = rule;
  const tests = Object.keys(rule).filter((key) => rule[key as keyof SyncRule] !== undefined);
  if (tests.every((key) => key === 'then' || key === 'message')) return { message: 'has a rule without a test' };
  if (given.files.has(name)) {
    const wrong = tests.find((key) => !ofFiles.includes(key));
    if (wrong !== undefined)
      return { key: wrong, message: 'is not for files: their tests are required, https and image' };
  } else if (image) return { key: 'image', message: 'is only for files (attachments)' };
  if (maxLength !== undefined && minLength > maxLength)
    return { key: 'minLength', message: `is more than maxLength, ${maxLength}` };
  const possible = oneOf?.filter((word) => {
    const isExcluded = noneOf.some((other) => other.toLowerCase() === word.toLowerCase());
    return !isExcluded && word.length >= minLength && word.length <= (maxLength ?? word.length);
  });
  if (possible?.length === 0) return { key: 'oneOf', message: 'has no value that the other tests of the rule allow' };
  for (const [key, limit] of [['before', before] as const, ['after', after] as const]) {
    const message = limit === undefined ? undefined : limitMistake(limit, name, given);
    if (message !== undefined) return { key, message };
  }
  if (before && after && isIsoDate(before) && isIsoDate(after) && before < after)
    return { key: 'before', message: `is earlier than after, ${after}` };
  return undefined;
}

function limitMistake(limit: string, name: string, given: Given): string | undefined {
  if (limit === 'today' || isIsoDate(limit)) return undefined;
  if (limit === name) return 'is the attribute itself';
  const isKnown = nameMistake(limit, given) === undefined && !given.files.has(limit);
  return isKnown ? undefined : 'must be today, an existing day such as 2027-12-31, or an attribute that the sync maps';
}
