import { z } from 'zod';
import { alertsKeys, emailKeys, smtpKeys, webhookKeys } from '../src/config/schema/alerts-schema.ts';
import { missingKeys } from '../src/config/schema/missing-schema.ts';
import { retentionKeys } from '../src/config/schema/retention-schema.ts';
import { ruleKeys } from '../src/config/schema/rule-schema.ts';
import { sourceKeys } from '../src/config/schema/source-schema.ts';
import { condition, syncKeys } from '../src/config/schema/sync-schema.ts';
import { targetKeys } from '../src/config/schema/target-schema.ts';

interface Table {
  head: string;
  keys: z.ZodObject;
  /** Whether it tells what happens without a key. */
  defaults: boolean;
}

/** The documents that have tables of keys. */
export const referenceFiles = ['docs/configuration.md', 'docs/mapping.md', 'docs/missing.md'];

/** The tables, by the name that marks their place. */
const tables = (kinds: readonly string[]): Readonly<Record<string, Table>> => ({
  target: { head: 'key of `target`', keys: targetKeys, defaults: true },
  alerts: { head: 'key of `alerts`', keys: alertsKeys, defaults: true },
  webhook: { head: 'key of `webhook`', keys: webhookKeys, defaults: true },
  email: { head: 'key of `email`', keys: emailKeys, defaults: true },
  smtp: { head: 'key of `smtp`', keys: smtpKeys, defaults: true },
  retention: { head: 'key of `retention`', keys: retentionKeys, defaults: true },
  sync: { head: 'key', keys: syncKeys('.', 'UTC'), defaults: true },
  missing: { head: 'key of `missing`', keys: missingKeys, defaults: true },
  source: { head: 'key of `source`', keys: sourceKeys(kinds, '.'), defaults: true },
  when: { head: 'key of `when`', keys: condition, defaults: false },
  rule: { head: 'key of a rule', keys: ruleKeys('.'), defaults: false },
});

/** A table of keys as Markdown, from the descriptions in its schema. */
function referenceTable({ head, keys, defaults }: Table): string {
  const rows = Object.entries(keys.shape).map(([key, schema]) => {
    const { description = '', absent } = (schema as z.ZodType).meta() ?? {};
    const fallback = absent ?? defaultOf(schema);
    return `| \`${key}\` | ${defaults ? `${fallback} | ` : ''}${description.replaceAll('|', '\\|')} |`;
  });
  return [`| ${head} | ${defaults ? 'default | ' : ''}|`, defaults ? '|---|---|---|' : '|---|---|', ...rows].join('\n');
}

function defaultOf(schema: unknown): string {
  if (schema instanceof z.ZodDefault) return `\`${JSON.stringify(schema.def.defaultValue)}\``.replaceAll('"', '');
  return schema instanceof z.ZodOptional ? 'none' : 'required';
}

const place = /(<!-- keys of (\w+) -->\n).*?(\n<!-- end of keys -->)/gs;

/**
 * A document with its tables of keys as the schemas have them.
 * @param kinds of connectors
 */
export function withReferenceTables(markdown: string, kinds: readonly string[]): string {
  const known = tables(kinds);
  return markdown.replace(place, (_, begin: string, name: string, end: string) => {
    const table = known[name];
    if (!table) throw new Error(`There is no table of keys named ${name}.`);
    return `${begin}${referenceTable(table)}${end}`;
  });
}
