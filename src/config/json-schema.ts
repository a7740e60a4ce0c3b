import { resolve } from 'node:path';
import { z } from 'zod';
import { standardAttributes } from '../core/attributes.ts';
import type { AnyConnector } from '../core/connector.ts';
import { testsFile } from './mapping-tests.ts';
import { fieldRule } from './schema/rule-schema.ts';
import { sourceKeys } from './schema/source-schema.ts';
import { syncKeys } from './schema/sync-schema.ts';
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
  const properties = sync.properties as JsonSchema;
  return {
    ...sync,
    // `key` is not required, because some formats have a default key.
    required: ['resource', 'source'],
    properties: {
      ...properties,
      source: {
        ...(properties.source as JsonSchema),
        oneOf: connectors.map((connector) => sourceOf(connector, folder)),
      },
      map: {
        ...(properties.map as JsonSchema),
        propertyNames: undefined,
        properties: standardRules(),
        additionalProperties: ruleReference,
      },
    },
    $defs: { rule: { ...rule, $schema: undefined } },
  };
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

/** Returns the keys of `source` with the options of one connector. */
function sourceOf({ kind, options }: AnyConnector, folder: string): JsonSchema {
  const own = toJsonSchema(sourceKeys([kind], folder));
  const its = toJsonSchema(options);
  return {
    type: 'object',
    properties: { ...(its.properties as JsonSchema), ...(own.properties as JsonSchema), connector: { const: kind } },
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
