import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SyncConfig } from '../../../src/config/types.ts';
import { type AttributeKind, readOnlyAttributes, standardAttributes } from '../../../src/core/attributes.ts';
import { hashJson } from '../../../src/core/hash.ts';
import type { Json, Resource } from '../../../src/core/record.ts';
import { accountSync, desired, eventSync, payload } from './setup.ts';

const text = fc.stringMatching(/^[\p{L}\d][\p{L}\d ,.-]{0,20}[\p{L}\d]$/u).map((value) => value.normalize('NFC'));
const pad = (value: number) => String(value).padStart(2, '0');
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const time = fc.tuple(fc.nat(23), fc.nat(59), fc.nat(59)).map((parts) => parts.map(pad).join(':'));

/** Values as the API writes them, so that what was mapped must be what was given. */
const apiValues: Record<AttributeKind, fc.Arbitrary<Json>> = {
  string: text,
  html: text,
  boolean: fc.boolean(),
  date: day,
  time,
  moment: day,
  json: fc
    .jsonValue({ depthSize: 'small' })
    .filter(
      (value) =>
        value !== null &&
        value !== '' &&
        !(typeof value === 'string' && value.trim() === '') &&
        !(Array.isArray(value) && value.length === 0),
    ) as fc.Arbitrary<Json>,
};

/** Attributes that take some texts only. */
const apiFormats: Record<string, fc.Arbitrary<Json>> = {
  email: fc.emailAddress(),
  website: fc.webUrl(),
  gender: fc.constantFrom('unknown', 'male', 'female', 'divers'),
  'time.type': fc.constantFrom('timed', 'all day'),
};

const attributesOf = (resource: Resource) =>
  Object.entries(standardAttributes[resource])
    .filter(([, kind]) => kind !== 'moment')
    .filter(([name]) => name !== 'allDay');

function syncOf(resource: Resource, names: readonly string[]): SyncConfig {
  const map = Object.fromEntries(names.map((name) => [name, { field: `["${name}"]` }]));
  return resource === 'events' ? eventSync({ map }) : accountSync({ map, key: { fields: ['key'], normalize: [] } });
}

describe.each(['events', 'accounts'] as const)('Attributes of %s', (resource) => {
  const attributes = attributesOf(resource);
  const names = [...attributes.map(([name]) => name), 'customThing'];
  const record = fc.record({
    ...Object.fromEntries(attributes.map(([name, kind]) => [name, apiFormats[name] ?? apiValues[kind]])),
    customThing: apiValues.json,
  });
  const fieldsOf = (values: Record<string, unknown>) => {
    // An event must not end before it starts: its end is given by the later of the two.
    const later = (a: unknown, b: unknown) => (String(a) > String(b) ? a : b);
    const ordered = {
      ...values,
      endDate: later(values.date, values.endDate),
      'time.end': later(values['time.start'], values['time.end']),
    };
    return { id: 'k', key: 'k', ...(resource === 'events' ? ordered : values) };
  };

  test('Every attribute keeps its value', () => {
    fc.assert(
      fc.property(record, (values) => {
        const fields: Record<string, unknown> = fieldsOf(values);
        const made = payload(syncOf(resource, names), fields);
        for (const name of names) {
          const [first = '', second] = name.split('.');
          const at = second === undefined ? made[first] : (made[first] as Record<string, Json>)[second];
          expect(at, name).toEqual(name === 'customThing' ? withoutMinusZero(fields[name]) : fields[name]);
        }
      }),
    );
  });

  test('The order of a map and of fields changes neither a payload nor its hash', () => {
    fc.assert(
      fc.property(record, fc.shuffledSubarray(names, { minLength: names.length }), (values, shuffled) => {
        const fields = fieldsOf(values);
        const reversed = Object.fromEntries(Object.entries(fields).reverse());
        const [one, other] = [desired(syncOf(resource, names), fields), desired(syncOf(resource, shuffled), reversed)];
        expect(other.payload).toEqual(one.payload);
        expect(hashJson(other.payload)).toBe(hashJson(one.payload));
      }),
    );
  });

  test('Attributes that the CMS derives are never part of a payload', () => {
    const names = new Set(Object.keys(standardAttributes[resource]));
    expect(readOnlyAttributes[resource].filter((name) => names.has(name))).toEqual([]);
  });
});

/** JSON has one zero. */
function withoutMinusZero(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
