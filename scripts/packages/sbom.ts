// Prints the software bill of materials (CycloneDX) of the package: what npm installs, what is in the bundle, and, as optional, what
// users install for Redis. `npm sbom` alone cannot know what is in the bundle. Needs dist/.
import { execFileSync } from 'node:child_process';
import { idOf, type Package, packagesByUse } from './shipped.ts';

interface Component extends Package {
  'bom-ref': string;
  scope: string;
  properties: Array<{ name: string; value: string }>;
}

/** To npm, what is in the bundle is for development only. */
const DEVELOPMENT = 'cdx:npm:package:development';

interface Bom {
  metadata: { component: Component };
  components: Component[];
  dependencies: Array<{ ref: string; dependsOn: string[] }>;
}

const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const output = execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const bom = JSON.parse(output) as Bom;
const { bundled, installed, forRedis } = packagesByUse();
const scopes = new Map([
  ...forRedis.map((one): [string, string] => [idOf(one), 'optional']),
  ...[...bundled, ...installed].map((one): [string, string] => [idOf(one), 'required']),
]);
const components = bom.components.flatMap((component) => {
  const scope = scopes.get(idOf(component));
  const properties = component.properties.filter(({ name }) => name !== DEVELOPMENT);
  return scope === undefined ? [] : [{ ...component, scope, properties }];
});
const missing = [...scopes.keys()].filter((id) => !components.some((component) => idOf(component) === id));
if (missing.length > 0) throw new Error(`npm does not know ${missing.join(', ')}`);

const self = bom.metadata.component;
const refs = new Set([self, ...components].map((component) => component['bom-ref']));
const dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
// npm takes the name of the folder.
const metadata = { ...bom.metadata, component: { ...self, name: 'feedferry' } };
console.log(JSON.stringify({ ...bom, metadata, components, dependencies }, null, 2));
