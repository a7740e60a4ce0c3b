/** A part of a tutorial that a reader follows. */
export type Part = { line: number } & (
  | { is: 'text'; text: string }
  /** A file that the reader saves. */
  | { is: 'write'; file: string; content: string }
  /** A file that exists at this point. */
  | { is: 'show'; file: string; content: string }
  /** A page that the reader opens, and the texts that the page shows. */
  | { is: 'open'; path: string; shows: string[]; text: string }
  | { is: 'run'; commands: Command[] }
);

/** A command and its output. */
export interface Command {
  args: string[];
  output: string;
}

const block = /^```(?:csv|yaml|console)\n.*?^```\n/;
const page = /<http:\/\/127\.0\.0\.1:8080[^\n]*(?:\n[^\n]+)*:\n\n(?:- [^\n]*\n)+/;

/** Splits a tutorial into its parts. The name of a file is the last name in the text before it. */
export function partsOf(markdown: string): Part[] {
  let before = '';
  return markdown.split(new RegExp(`(${block.source}|${page.source})`, 'ms')).map((text) => {
    const line = before.split('\n').length;
    const file = [...before.matchAll(/`([\w./-]+)`/g)].at(-1)?.[1] ?? '';
    before += text;
    const [, language, content = ''] = /^```(\w+)\n(.*)^```\n$/ms.exec(text) ?? [];
    if (language === 'console') return { line, is: 'run', commands: commandsIn(content) };
    if (language) return { line, is: language === 'csv' ? 'write' : 'show', file, content };
    const [, path] = /^<http:\/\/127\.0\.0\.1:8080(\/[^>]*)>/.exec(text) ?? [];
    if (path === undefined) return { line, is: 'text', text };
    return { line, is: 'open', path, shows: [...text.matchAll(/^- (.*)$/gm)].map(([, shown = '']) => shown), text };
  });
}

/** Returns the Markdown of a part. */
export function toMarkdown(part: Part): string {
  if (part.is === 'text' || part.is === 'open') return part.text;
  if (part.is !== 'run') return `\`\`\`${part.is === 'write' ? 'csv' : 'yaml'}\n${part.content}\`\`\`\n`;
  const commands = part.commands.map(({ args, output }) => `$ feedferry ${args.join(' ')}\n${output}`);
  return `\`\`\`console\n${commands.join('')}\`\`\`\n`;
}

function commandsIn(code: string): Command[] {
  return [...code.matchAll(/^\$ feedferry (.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, args = '', output = '']) => ({
    args: args.split(' '),
    output,
  }));
}
