import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { alertsKeys, emailKeys, ownerKeys, smtpKeys, webhookKeys } from '../src/config/schema/alerts-schema.ts';
import { changesKeys } from '../src/config/schema/changes-schema.ts';
import { condition } from '../src/config/schema/condition-schema.ts';
import { mergeKeys } from '../src/config/schema/merge-schema.ts';
import { missingPolicySchema } from '../src/config/schema/missing-schema.ts';
import { ruleKeys } from '../src/config/schema/rule-schema.ts';
import { syncRuleKeys } from '../src/config/schema/rules-schema.ts';
import { sourceKeys } from '../src/config/schema/source-schema.ts';
import { syncKeys } from '../src/config/schema/sync-schema.ts';
import { retentionKeys, targetKeys } from '../src/config/schema/target-schema.ts';

const marker = /<!-- (?:(?:keys|list) of .*?|end of (?:keys|list)) -->/;
const place = /<!-- (keys|list) of ([^\n]*?) -->\n(?:(?!<!-- (?:keys|list) of ).)*?<!-- end of \1 -->/gs;

interface Table {
  head: string;
  keys: z.ZodObject;
}

/** The tables by the names in their markers: `<!-- keys of target -->` … `<!-- end of keys -->`. */
export function tablesOfKeys(connectorKinds: readonly string[]): Readonly<Record<string, Table>> {
  return {
    target: { head: 'Keys of `target`', keys: targetKeys },
    alerts: { head: 'Keys of `alerts`', keys: alertsKeys },
    webhook: { head: 'Keys of `webhook`', keys: webhookKeys },
    email: { head: 'Keys of `email`', keys: emailKeys },
    smtp: { head: 'Keys of `smtp`', keys: smtpKeys },
    retention: { head: 'Keys of `retention`', keys: retentionKeys },
    owner: { head: 'Keys of `owner`', keys: ownerKeys },
    sync: { head: 'Keys of a sync file', keys: syncKeys('.', 'UTC') },
    merge: { head: 'Keys of `merge`', keys: mergeKeys },
    changes: { head: 'Keys of `changes`', keys: changesKeys },
    missing: { head: 'Keys of `missing`', keys: missingPolicySchema },
    source: { head: 'Keys of `source`', keys: sourceKeys(connectorKinds, '.') },
    when: { head: 'Keys of `when`', keys: condition },
    rule: { head: 'Keys of a rule', keys: ruleKeys('.') },
    rules: { head: 'Keys of each of the `rules`', keys: syncRuleKeys },
  };
}

/** The documents below a folder that have generated tables, as absolute paths. */
export function referenceFiles(docs: string): string[] {
  return readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => resolve(docs, name))
    .filter((file) => marker.test(readFileSync(file, 'utf8')))
    .toSorted();
}

/**
 * Returns a document with its tables of keys generated from the schemas.
 * @param lists other tables, by the names in their markers: `<!-- list of states -->` … `<!-- end of list -->`
 * @throws Error when a marker names no table or has no counterpart
 */
export function withReferenceTables(
  markdown: string,
  tables: Readonly<Record<string, Table>>,
  lists: Readonly<Record<string, string>> = {},
): string {
  const [unmatched] = marker.exec(markdown.replace(place, '')) ?? [];
  if (unmatched) throw new Error(`The marker "${unmatched}" has no counterpart.`);
  return markdown.replace(place, (_, kind: string, name: string) => {
    const table = tables[name];
    const text = kind === 'list' ? lists[name] : table && referenceTable(table);
    if (text === undefined)
      throw new Error(`There is no ${kind === 'list' ? 'list' : 'table of keys'} named "${name}".`);
    return `<!-- ${kind} of ${name} -->\n${text}\n<!-- end of ${kind} -->`;
  });
}

/** A list of keys as Markdown, from the descriptions in their schema. */
function referenceTable({ head, keys }: Table): string {
  const rows = Object.entries(keys.shape).map(([key, schema]) => {
    const { description = '', absent } = (schema as z.ZodType).meta() ?? {};
    return `- \`${key}\`${inBrackets(`${absent ?? defaultOf(schema)}`)}: ${description}`;
  });
  return [`${head}:`, '', ...rows].join('\n');
}

function inBrackets(fallback: string): string {
  if (fallback === 'none') return '';
  return fallback === 'required' ? ' (required)' : ` (default: ${fallback})`;
}

function defaultOf(schema: unknown): string {
  if (schema instanceof z.ZodDefault) return `\`${JSON.stringify(schema.def.defaultValue)}\``.replaceAll('"', '');
  return schema instanceof z.ZodOptional ? 'none' : 'required';
}
