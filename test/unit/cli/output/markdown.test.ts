import { expect, test, vi } from 'vitest';
import { readTopics } from '../../../../src/cli/help-topics.ts';
import { renderMarkdown } from '../../../../src/cli/output/markdown.ts';

/** A page as a terminal with 60 columns and no colours shows it. */
function shown(text: string, pages: string[] = []): string {
  vi.stubEnv('COLUMNS', '60');
  vi.stubEnv('NO_COLOR', '1');
  try {
    return renderMarkdown(text, pages);
  } finally {
    vi.unstubAllEnvs();
  }
}

test('Lines of a paragraph and of a list item are joined and wrapped, code stays as it is', () => {
  const page = `# Title

One
two \`a [b](c) **d**\` **bold
text**.
Three four five six seven eight nine ten eleven twelve.

- first
  line
- second
  - nested
1. third

\`\`\`sh
command --with 'many   words' and a line that is longer than the terminal # yes

- next
\`\`\`

<!-- hidden -->
End.`;
  expect(shown(page)).toBe(`Title

One two \`a [b](c) **d**\` bold text. Three four five six
seven eight nine ten eleven twelve.

- first line
- second
  - nested
1. third

    command --with 'many   words' and a line that is longer than the terminal # yes

    - next

End.`);
});

test('Links name the page that help shows, or the address', () => {
  const page = '[maps](mapping.md#rules), [alerts](alerts.md), [x](other.md), [y](#z) and [`L`](https://a.example)';
  expect(shown(page, ['mapping', 'alerts'])).toBe('maps (help mapping), alerts, x, y and `L`\n(https://a.example)');
});

test('Tables are laid out, also with a bar in a cell', () => {
  const page = '| key | |\n|---|---:|\n| `a \\| b` | one |\n| c | [two](two.md) |\n\nEnd.';
  expect(shown(page)).toBe('KEY\n`a | b`  one\nc        two\n\nEnd.');
});

test.each(readTopics())('The page $name is readable', ({ title, text }) => {
  const page = shown(text);
  expect(page.startsWith(`${title}\n\n`)).toBe(true);
  const prose = page.replace(/^ {4}.*$/gm, '').replace(/`[^`]*`/g, '');
  expect(prose).not.toMatch(/\]\(|\*\*|^#|^\||<!--|```/m);
});
