/** One physical line of a text. */
export interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
  /** How it ends; '' for a last line without an end. */
  end: '\n' | '\r\n' | '\r' | '';
  /** Longer than allowed: `text` holds only its beginning. */
  tooLong: boolean;
}

/** Splits streamed text at LF, CRLF and CR, in any mixture, holding no more than one line of `maxLength` characters. */
export async function* splitLines(text: AsyncIterable<string>, maxLength: number): AsyncGenerator<Line> {
  let number = 0;
  let rest = '';
  let tooLong = false;
  const line = (content: string, end: Line['end']): Line => {
    const result = { number: ++number, text: content, end, tooLong: tooLong || content.length > maxLength };
    tooLong = false;
    return result;
  };
  for await (const chunk of text) {
    const buffer = rest + chunk;
    let start = 0;
    for (const { index, 0: end } of buffer.matchAll(/\r\n|\n|\r/g)) {
      // A CR at the very end may be the first half of a CRLF.
      if (end === '\r' && index === buffer.length - 1) break;
      yield line(buffer.slice(start, index), end as Line['end']);
      start = index + end.length;
    }
    rest = buffer.slice(start);
    if (rest.length > maxLength) {
      tooLong = true;
      rest = rest.slice(-1) === '\r' ? '\r' : '';
    }
  }
  if (rest.endsWith('\r')) yield line(rest.slice(0, -1), '\r');
  else if (rest !== '' || tooLong) yield line(rest, '');
}
