import { resolve } from 'node:path';
import { z } from 'zod';
import { standardAttributes } from '../core/attributes.ts';
import type { AnyConnector } from '../core/connector.ts';
import { testsFile } from './mapping-tests.ts';
import { fieldRule } from './schema/rule-schema.ts';
import { sourceKeys } from './schema/source-schema.ts';
import { ownKeys, syncKeys } from './schema/sync-schema.ts';
import { targetFile } from './schema/target-schema.ts';
import { writtenForm } from './schema/written.ts';

/** The kinds of files in a config folder. */
export const schemaNames = ['sync', 'target', 'tests'] as const;

/** A JSON Schema (draft 2020-12) for editors. */
export type JsonSchema = Record<string, unknown>;

/** Returns the JSON Schema of a kind of config file as users write it: shorthands and `${NAME}` are valid. */
export function jsonSchemaOf(name: (typeof schemaNames)[number], connectors: readonly AnyConnector[]): JsonSchema {
  if (name === 'target') return toJsonSchema(targetFile);
  if (name === 'tests') return toJsonSchema(testsFile);
  const folder = resolve('.');
  const sync = toJsonSchema(syncKeys(folder, 'UTC'));
  const rule = toJsonSchema(fieldRule(folder));
  const described = sync.properties as Record<string, JsonSchema>;
  const map = {
    ...described.map,
    propertyNames: undefined,
    properties: standardRules(),
    additionalProperties: ruleReference,
  };
  const properties = { ...described, map };
  const own = Object.fromEntries(Object.entries(properties).filter(([key]) => ownKeys.includes(key)));
  return {
    ...sync,
    // `key` is not required, because some formats have a default key.
    required: ['resource'],
    oneOf: [requiring('source'), requiring('sources')],
    properties: {
      ...properties,
      source: { ...described.source, oneOf: connectors.map((connector) => sourceOf(connector, folder)) },
      sources: {
        ...described.sources,
        type: 'object',
        minProperties: 1,
        additionalProperties: { oneOf: connectors.map((connector) => sourceOf(connector, folder, own)) },
      },
    },
    $defs: { ...(sync.$defs as JsonSchema), rule: { ...rule, $schema: undefined } },
  };
}

function requiring(key: string): JsonSchema {
  return { type: 'object', properties: { [key]: { type: 'object' } }, required: [key] };
}

const ruleReference = { $ref: '#/$defs/rule' };

/** Lets editors suggest the standard attributes; custom attributes are valid, too. */
function standardRules(): JsonSchema {
  const names = new Set([
    ...Object.keys(standardAttributes.events),
    ...Object.keys(standardAttributes.accounts),
    'password',
  ]);
  return Object.fromEntries([...names].sort().map((name) => [name, ruleReference]));
}

/**
 * Returns the keys of `source` with the options of one connector.
 * @param more other keys that the source may have
 */
function sourceOf({ kind, options }: AnyConnector, folder: string, more: JsonSchema = {}): JsonSchema {
  const own = toJsonSchema(sourceKeys([kind], folder));
  const its = toJsonSchema(options);
  return {
    type: 'object',
    properties: {
      ...(its.properties as JsonSchema),
      ...(own.properties as JsonSchema),
      ...more,
      connector: { const: kind },
    },
    required: ['connector', 'url', ...((its.required as string[] | undefined) ?? [])],
    additionalProperties: false,
  };
}

function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // `absent` is only for the reference of the keys in the docs.
      delete jsonSchema.absent;
      const written = writtenForm(zodSchema);
      if (!written) return;
      const { $schema, ...form } = toJsonSchema(written);
      const { description, default: otherwise } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(
        jsonSchema,
        form,
        description && { description },
        otherwise !== undefined && { default: otherwise },
      );
    },
  }) as JsonSchema;
}
