import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { isVoid } from './elements.ts';

/** A start tag, as browsers read it. */
export interface StartTag {
  name: string;
  /** Position of its "<", and after its ">". */
  start: number;
  end: number;
  /** Whether no attribute has a value: `<b>`, `<b and c>`. */
  isBare: boolean;
  /** Whether it ends with "/>". */
  isSelfClosing: boolean;
  /** Whether an end tag follows. */
  isClosed: boolean;
}

/** The tags of a text. `broken`: positions of "<" whose tag or comment has no end, and of end tags with other text in them. */
interface Tags {
  starts: StartTag[];
  /** Names of all tags; `!--` for a comment. */
  names: Set<string>;
  broken: number[];
}

function ignore(): void {
  // Only tags and comments matter.
}

const ignored = {
  onattribdata: ignore,
  onattribentity: ignore,
  onattribname: ignore,
  oncdata: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onprocessinginstruction: ignore,
  ontext: ignore,
  ontextentity: ignore,
};

/** Reads the tags of a text. */
export function readTags(html: string): Tags {
  const tags: Tags = { starts: [], names: new Set(), broken: [] };
  const open = new Map<string, StartTag[]>();
  let current: StartTag | undefined;

  const finish = (index: number, isSelfClosing: boolean) => {
    if (!current) return;
    const tag = { ...current, end: index + 1, isSelfClosing };
    current = undefined;
    tags.names.add(tag.name);
    tags.starts.push(tag);
    if (isVoid(tag.name)) return;
    const sameName = open.get(tag.name);
    if (sameName) sameName.push(tag);
    else open.set(tag.name, [tag]);
  };
  const callbacks: TokenizerCallbacks = {
    ...ignored,
    onopentagname(start, end) {
      const name = html.slice(start, end).toLowerCase();
      current = { name, start: start - 1, end, isBare: true, isSelfClosing: false, isClosed: false };
    },
    onattribend(quote) {
      if (current && quote !== QuoteType.NoValue) current.isBare = false;
    },
    onopentagend: (index) => finish(index, false),
    onselfclosingtag: (index) => finish(index, true),
    onclosetag(start, end) {
      const close = html.indexOf('>', end);
      if (close === -1 || /[^\s/]/.test(html.slice(end, close))) {
        tags.broken.push(start - 2);
        return;
      }
      const name = html.slice(start, end).toLowerCase();
      tags.names.add(name);
      const last = open.get(name)?.pop();
      if (last) last.isClosed = true;
    },
    oncomment(start, end) {
      if (end >= html.length) tags.broken.push(html.lastIndexOf('<', start - 1));
      else tags.names.add('!--');
    },
  };
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacks);
  tokenizer.write(html);
  tokenizer.end();
  if (current) tags.broken.push((current as StartTag).start);
  return tags;
}
