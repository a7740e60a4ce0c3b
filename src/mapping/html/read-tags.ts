import { QuoteType, Tokenizer } from 'htmlparser2';
import { isVoid } from './elements.ts';

/** A start tag, as browsers read it. */
export interface StartTag {
  name: string;
  /** Position of its "<", and after its ">". */
  start: number;
  end: number;
  /** Whether no attribute has a value: `<b>`, `<b and c>`. */
  isBare: boolean;
  /** Whether it has words that are no attributes of HTML: `<Table 5>`. */
  hasWords: boolean;
  /** Whether it ends with "/>". */
  isSelfClosing: boolean;
  /** Whether an end tag follows. */
  isClosed: boolean;
}

/** Attributes without a value that HTML knows, for elements that need no end tag. */
const flags = new Set('border clear compact hidden itemscope noshade nowrap reversed'.split(' '));

/** The tags of a text. */
export interface Tags {
  /** Number of tags and comments that have an end. */
  complete: number;
  starts: StartTag[];
  /** Names of all tags; `!--` for a comment. */
  names: Set<string>;
  /** Positions of "<" whose tag or comment has no end, and of end tags with other text in them. */
  broken: number[];
}

/** Returns the tags of a text. */
export const readTags = createTagReader();

/** Creates a reader, which uses its tokenizer again for each text. */
function createTagReader(): (html: string) => Tags {
  let html = '';
  let tags: Tags = { complete: 0, starts: [], names: new Set(), broken: [] };
  /** By name, the start tags that have no end tag so far. */
  const open = new Map<string, StartTag[]>();
  let current: StartTag | undefined;
  let attribute: [start: number, end: number] = [0, 0];

  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      onopentagname(start, end) {
        const name = html.slice(start, end).toLowerCase();
        const none = { hasWords: false, isSelfClosing: false, isClosed: false };
        current = { name, start: start - 1, end, isBare: true, ...none };
      },
      onattribname(start, end) {
        attribute = [start, end];
      },
      onattribend(quote) {
        if (!current) return;
        if (quote !== QuoteType.NoValue) current.isBare = false;
        else current.hasWords ||= !flags.has(html.slice(...attribute).toLowerCase());
      },
      onopentagend: (index) => finish(index, false),
      onselfclosingtag: (index) => finish(index, true),
      onclosetag: close,
      oncomment(start, end) {
        if (end >= html.length) tags.broken.push(html.lastIndexOf('<', start - 1));
        else if (html.startsWith('<!--', start - 4)) {
          tags.names.add('!--');
          tags.complete += 1;
        }
      },
      onattribdata: ignore,
      onattribentity: ignore,
      oncdata: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );

  return (text) => {
    html = text;
    tags = { complete: 0, starts: [], names: new Set(), broken: [] };
    open.clear();
    current = undefined;
    tokenizer.reset();
    tokenizer.write(html);
    tokenizer.end();
    if (current) tags.broken.push((current as StartTag).start);
    return tags;
  };

  function finish(index: number, isSelfClosing: boolean): void {
    if (!current) return;
    current.end = index + 1;
    current.isSelfClosing = isSelfClosing;
    tags.complete += 1;
    tags.names.add(current.name);
    tags.starts.push(current);
    const sameName = isVoid(current.name) ? [] : open.get(current.name);
    if (sameName) sameName.push(current);
    else open.set(current.name, [current]);
    current = undefined;
  }

  function close(start: number, end: number): void {
    const last = html.indexOf('>', end);
    if (last === -1 || /[^\s/]/.test(html.slice(end, last))) {
      tags.broken.push(start - 2);
      return;
    }
    const name = html.slice(start, end).toLowerCase();
    tags.complete += 1;
    tags.names.add(name);
    const opened = open.get(name)?.pop();
    if (opened) opened.isClosed = true;
  }
}

function ignore(): void {
  // Only tags and comments matter.
}
