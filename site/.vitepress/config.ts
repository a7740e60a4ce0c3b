import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig } from 'vitepress';
import { toAnchor } from '../anchors.ts';
import { sourceLinks } from '../source-links.ts';

const root = join(import.meta.dirname, '../..');

/** The pages outside docs, by their places on the site. */
const ELSEWHERE: Record<string, string> = {
  'README.md': 'overview.md',
  'CONTRIBUTING.md': 'contributing.md',
  'CHANGELOG.md': 'changelog.md',
  'SECURITY.md': 'security.md',
  'test/README.md': 'development/tests.md',
};

/** Returns the place of a page on the site: that of docs/README.md is its home. */
function placeOf(page: string): string {
  return ELSEWHERE[page] ?? page.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
}

export default defineConfig({
  title: 'feedferry',
  description: 'Calendar events and accounts from feeds into a CMS',
  srcDir: root,
  srcExclude: [
    '{bench,config,connectors,deploy,dist,node_modules,scripts,site,src}/**',
    'test/!(README.md)/**',
    '.*/**',
  ],
  outDir: join(import.meta.dirname, '../dist'),
  cacheDir: join(import.meta.dirname, '../../.cache/vitepress'),
  rewrites: placeOf,
  metaChunk: true,
  // esbuild does not know the target in the tsconfig of the program.
  vite: { esbuild: { tsconfigRaw: {} } },
  markdown: {
    anchor: { slugify: toAnchor },
    config: (md) => md.use(sourceLinks, { root, placeOf }),
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: sidebarOf('docs/README.md'),
  },
});

/** Makes the sidebar from the lists of the home page. */
function sidebarOf(page: string) {
  const sections = readFileSync(join(root, page), 'utf8').split(/^## /m).slice(1);
  return sections.map((section) => {
    const [text = ''] = section.split('\n');
    const items = [...section.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)].map(([, title = '', link = '']) => ({
      text: title.replaceAll('`', ''),
      link: `/${placeOf(relative(root, join(root, dirname(page), link)))}`,
    }));
    return { text, collapsed: text === 'Development', items };
  });
}
