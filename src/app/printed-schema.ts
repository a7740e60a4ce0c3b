import { connectors } from '../../connectors/index.ts';
import { jsonSchemaOf, type schemaNames } from '../config/json-schema.ts';

/**
 * The JSON Schema of a kind of config file with the connectors of this build, as text.
 * @param indent spaces; 0 for one line
 */
export function printedSchema(name: (typeof schemaNames)[number], indent: number): string {
  return JSON.stringify(jsonSchemaOf(name, connectors), null, indent);
}
