import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './described.ts';
import { type ApiParameter, type ApiSchema, resolved } from './description.ts';

/** A request, made from the description or against it. */
export interface FuzzRequest {
  operation: Operation;
  /** Values of the query. */
  query: Record<string, string>;
  /** Headers other than those that every caller sends; null leaves one out. */
  headers: Record<string, string | null>;
  /** JSON text; undefined for none. */
  body?: string;
}

const text = fc.oneof(fc.string({ maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constant(''));
/** Any JSON, with the values that programs trip over. */
const anything = fc
  .oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(
      null,
      '',
      0,
      -1,
      1e300,
      '\u0000',
      '2026-02-30',
      '25:00:00',
      [],
      {},
      [[]],
      'null',
      '__proto__',
    ),
  )
  // JSON has no -0.
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const customName = fc.oneof(
  fc.constantFrom('constructor', 'toString', 'id', 'src', 'links'),
  fc.stringMatching(/^[a-z]\w{0,8}$/),
);
const formats: Record<string, Arbitrary<string>> = {
  date: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
};

/** Values that fit a schema. */
export function valuesOf(
  given: ApiSchema & { pattern?: string; minLength?: number; minProperties?: number },
): Arbitrary<unknown> {
  const schema = whole(given) as typeof given;
  const types = [schema.type ?? []].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => valuesOf({ ...schema, type })));
  const { anyOf, ...rest } = schema;
  if (anyOf && types[0] !== 'null') return fc.oneof(...anyOf.map((one) => valuesOf({ ...rest, ...one })));
  if (types[0] === 'null') return fc.constant(null);
  if (types[0] === 'boolean') return fc.boolean();
  if (types[0] === 'integer')
    return fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 30 }) }, { weight: 1, arbitrary: fc.integer() });
  if (types[0] === 'object') return objectsOf(schema);
  return types[0] === 'string' ? textsOf(schema) : anything;
}

function textsOf(schema: ApiSchema & { pattern?: string; minLength?: number; maxLength?: number }): Arbitrary<unknown> {
  if (schema.maxLength === 0) return fc.constant('');
  if (schema.format && formats[schema.format]) return formats[schema.format] as Arbitrary<string>;
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  const examples = (schema.examples ?? []) as string[];
  const texts = text.filter((one) => one.length >= (schema.minLength ?? 0));
  return examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), texts) : texts;
}

function objectsOf({
  properties = {},
  required = [],
  ...rest
}: ApiSchema & { minProperties?: number }): Arbitrary<object> {
  const standard = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema)])),
    { requiredKeys: required },
  );
  const custom = rest.additionalProperties ? fc.dictionary(customName, anything, { maxKeys: 2 }) : fc.constant({});
  return fc
    .tuple(custom, standard)
    .map(([more, known]) => ({ ...more, ...known }))
    .filter((value) => Object.keys(value).length >= (rest.minProperties ?? 0));
}

/** A schema with what it takes from another: from that which it refers to, or from that of `allOf`, which it narrows. */
function whole(schema: ApiSchema): ApiSchema {
  const { allOf, ...own } = resolved(schema);
  const base = allOf?.[0];
  if (!base) return own;
  const { properties: inherited = {}, ...rest } = whole(base);
  const narrowed = Object.entries(own.properties ?? {}).map(([name, property]) => {
    const before = inherited[name];
    return [name, before ? { ...whole(before), anyOf: undefined, ...property } : property];
  });
  return { ...rest, ...own, properties: { ...inherited, ...Object.fromEntries(narrowed) } };
}

const wrongHeaders: Array<Record<string, string | null>> = [
  { accept: 'text/html' },
  { authorization: null },
  { 'content-type': 'text/plain' },
];

/** Requests for an operation. Most fit the description; the others differ from it in one place or a few. */
export function requestsOf(operation: Operation): Arbitrary<FuzzRequest> {
  const { parameters, bodySchema, bodyType } = operation;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const query = fc
    .subarray(inQuery, { maxLength: Math.min(3, inQuery.length) })
    .chain((some) => fc.record(Object.fromEntries(some.map((parameter) => [parameter.name, queryValues(parameter)]))));
  const isJson = bodyType === 'application/json' && bodySchema !== undefined;
  const body = isJson
    ? fc.oneof({ weight: 4, arbitrary: bodiesOf(bodySchema) }, { weight: 1, arbitrary: text })
    : fc.constant(undefined);
  const headers = fc.oneof(
    { weight: 12, arbitrary: fc.constant<Record<string, string | null>>({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...wrongHeaders),
    },
  );
  return fc.record({ operation: fc.constant(operation), query, headers, body });
}

function queryValues({ schema, example }: ApiParameter): Arbitrary<string> {
  const fitting =
    example === undefined
      ? valuesOf(schema).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      : fc.constant(example);
  return fc.oneof({ weight: 5, arbitrary: fitting }, { weight: 1, arbitrary: text });
}

/** Bodies that fit, and bodies in which one attribute has any value or is missing. */
export function bodiesOf(schema: ApiSchema): Arbitrary<string> {
  const names = Object.keys(whole(schema).properties ?? {});
  const fitting = valuesOf(schema) as Arbitrary<Record<string, unknown>>;
  const spoilt = fc.tuple(fitting, fc.constantFrom(...names), fc.option(anything, { nil: undefined }));
  return fc
    .oneof(
      { weight: 3, arbitrary: fitting },
      { weight: 2, arbitrary: spoilt.map(([body, name, value]) => ({ ...body, [name]: value })) },
      { weight: 1, arbitrary: anything },
    )
    .map((body) => JSON.stringify(body));
}

/** Forms with a file: PNG and PDF from their first bytes on, or anything; in the field that the description names, or another. */
export function formsOf(files: readonly Uint8Array[]) {
  const bytes = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...files) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(...files), fc.nat(30)).map(([file, end]) => file.subarray(0, end)),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  );
  return fc.record({
    attribute: fc.oneof(fc.constantFrom('image', 'flyer'), text),
    field: fc.constantFrom('upload', 'upload', 'upload', 'file'),
    name: fc.oneof(fc.constantFrom('a.png', '../b.PDF', '.htaccess', 'c.php.png'), text),
    bytes,
  });
}
