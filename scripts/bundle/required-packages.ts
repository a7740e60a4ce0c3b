import type { Plugin } from 'rolldown';

/** How a source file declares that it loads packages when it first uses them, and not when it is loaded itself. */
const DECLARED = 'const require = createRequire(import.meta.url);';

/**
 * Finds the packages that the sources load with `require`, and lets the bundle load the file that is made of each.
 * @param folder of these files, relative to the chunks
 */
export function requiredPackages(folder: string) {
  const found = new Set<string>();
  const plugin: Plugin = {
    name: 'required-packages',
    transform: {
      filter: { code: DECLARED },
      handler: (code) =>
        code.replace(/(?<=\brequire\()'([^']+)'/g, (_, name: string) => {
          found.add(name);
          return `'${folder}/${name}.cjs'`;
        }),
    },
  };
  return { plugin, names: () => [...found] };
}
