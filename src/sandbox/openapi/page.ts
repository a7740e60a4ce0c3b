import { html } from '../../core/html.ts';
import type { Markup } from '../pages/layout.ts';
import {
  type ApiOperation,
  type ApiParameter,
  type ApiSchema,
  apiDescription,
  type Described,
  operationMethods,
  resolved,
} from './description.ts';

/** The description of the API for people: its operations and its schemas. */
export function descriptionPage(): Markup {
  const { info, servers, tags, paths, components, ...description } = apiDescription();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    operationMethods.flatMap((method) => {
      const operation = methods[method];
      return operation ? [{ path, method, operation, parameters: methods.parameters ?? [] }] : [];
    }),
  );
  return html`<h1>${info.title} ${info.version}</h1>
<p>As <a href="/openapi.json">OpenAPI 3.1</a>. “Not shown” is what the API leaves open: sites may differ there.</p>
${about(info)}
<h2>Every request</h2>
${servers.map((server) => html`<p><code>${server.url}</code>: ${server.description}</p>`)}
${Object.entries(description['x-request-headers']).map(([name, value]) => html`<p><code>${name}: ${value}</code></p>`)}
${Object.values(components.securitySchemes).map(about)}
<ul>${operations.map(({ path, method, operation }) => html`<li><a href="#${operation.operationId}">${method.toUpperCase()} ${path}</a>: ${operation.summary}</li>\n`)}</ul>
${tags.map(
  (tag) => html`<h2>${tag.name}</h2>
${about(tag)}
${operations
  .filter(({ operation }) => operation.tags.includes(tag.name))
  .map(({ path, method, operation, parameters }) =>
    operationPart(`${method.toUpperCase()} ${path}`, operation, parameters),
  )}`,
)}
<h2>Schemas</h2>
${Object.entries(components.schemas).map(([name, schema]) => schemaPart(name, schema))}`;
}

function operationPart(title: string, operation: ApiOperation, shared: ApiParameter[]): Markup {
  const parameters = [...shared, ...(operation.parameters ?? [])].map(resolved);
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  return html`<h3 id="${operation.operationId}">${title}</h3>
<p>${operation.summary}.</p>
${about(operation)}
<table><thead><tr><th>Parameter</th><th>In</th><th>Value</th><th>Meaning</th></tr></thead>
<tbody>${parameters.map(parameterRow)}</tbody></table>
${bodies.map(([type, { schema }]) => html`<p>Body: <code>${type}</code>, ${typeOf(schema)}</p>${propertyTable(schema)}`)}
<table><thead><tr><th>Status</th><th>Body</th><th>Meaning</th></tr></thead>
<tbody>${Object.entries(operation.responses).map(([status, response]) => {
    const { content, ...rest } = resolved(response);
    const schemas = Object.values(content ?? {}).map(({ schema }) => typeOf(schema));
    return html`<tr><td>${status}</td><td>${schemas}</td><td>${about(rest)}</td></tr>\n`;
  })}</tbody></table>`;
}

function parameterRow(parameter: ApiParameter): Markup {
  const { name, in: place, required, schema } = parameter;
  return html`<tr><td><code>${name}</code>${required && ', required'}</td><td>${place}</td><td>${typeOf(schema)}</td>
<td>${about(parameter)}</td></tr>\n`;
}

function schemaPart(name: string, schema: ApiSchema): Markup {
  return html`<h3 id="${name}">${name}</h3>
${about(schema)}
${!schema.properties && html`<p>${ownType(schema)}</p>`}
${schema.allOf?.map((base) => html`<p>Everything of ${typeOf(base)}, and:</p>`)}
${propertyTable(schema)}
${schema.examples?.map((example) => html`<pre>${JSON.stringify(example, null, 2)}</pre>`)}`;
}

function propertyTable(schema: ApiSchema): Markup | false {
  const rows = propertiesOf(schema);
  if (rows.length === 0) return false;
  return html`<table><thead><tr><th>Property</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

/** A row for each property; properties within objects and lists are named by their path. */
function propertiesOf({ properties = {}, required = [] }: ApiSchema, before = ''): Markup[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${before}${name}`;
    const row = html`<tr><td><code>${path}</code>${required.includes(name) && ', required'}</td><td>${typeOf(schema)}</td>
<td>${about(schema)}</td></tr>\n`;
    return [row, ...propertiesOf(schema, `${path}.`), ...propertiesOf(schema.items ?? {}, `${path}[].`)];
  });
}

/** The type in words; a link if the schema has a name. */
function typeOf(schema: ApiSchema): Markup {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return html`<a href="#${name}">${name}</a>`;
  if (schema.items) return html`list of ${schema.items.$ref ? typeOf(schema.items) : 'objects'}`;
  if (!schema.type && schema.anyOf)
    return html`${schema.anyOf.map((one, index) => [index > 0 && ' or ', typeOf(one)])}`;
  return html`${ownType(schema)}`;
}

function ownType({ type = 'any', format, examples = [], default: preset }: ApiSchema): string {
  const words = [type].flat().join(' or ');
  const seen = examples.filter((example) => typeof example !== 'object').join(', ');
  return [
    words,
    ...(format ? [format] : []),
    ...(seen ? [`for example ${seen}`] : []),
    ...(preset === undefined ? [] : [`default ${String(preset)}`]),
  ].join(', ');
}

/** The description of a part, and what the part leaves open. */
function about({ description = '', 'x-not-shown': notShown = [] }: Described): Markup {
  const paragraphs = description.split('\n\n').filter(Boolean);
  return html`${paragraphs.map((text) => html`<p>${withCode(text)}</p>`)}
${notShown.map((text) => html`<p><em>Not shown:</em> ${withCode(text)}</p>`)}`;
}

/** Text whose parts between backticks are code. */
function withCode(text: string): Array<string | Markup> {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
