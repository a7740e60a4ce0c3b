import { dirname, join, relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

interface Options {
  root: string;
  /** Returns the place of a page on the site. */
  placeOf: (page: string) => string;
}

/**
 * Makes links between files of the repository links between pages of the site. What is no page, such as a folder of examples, becomes
 * plain text.
 */
export function sourceLinks(md: MarkdownRenderer, { root, placeOf }: Options): void {
  md.core.ruler.after('inline', 'source-links', ({ tokens, env }) => {
    const inline = tokens.flatMap(({ children }) => children ?? []);
    for (const [index, token] of inline.entries()) {
      // Braces in code are no expressions of Vue.
      if (token.type === 'code_inline') token.attrSet('v-pre', '');
      const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
      if (href === '' || /^([a-z]+:|#)/.test(href)) continue;
      const [path = '', anchor] = href.split('#');
      const file = relative(root, join(dirname(env.realPath ?? env.path), path));
      if (file.endsWith('.md')) {
        token.attrSet('href', `/${placeOf(file)}${anchor ? `#${anchor}` : ''}`);
      } else {
        const close = inline.slice(index).find(({ type }) => type === 'link_close');
        for (const each of [token, close]) if (each) Object.assign(each, { tag: 'span', type: 'plain', attrs: null });
      }
    }
  });
}
