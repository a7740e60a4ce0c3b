/** One physical line of a text. */
export interface Line {
  /** Counted from 1. */
  number: number;
  text: string;
  /** The line end; '' for a last line without one. */
  end: string;
  /** Longer than allowed: `text` has only a part of it. */
  tooLong: boolean;
}

/**
 * Splits streamed text into lines at LF, CRLF and CR, in any mixture, holding no more than one line of `maxLength` characters.
 * Yields the lines of each chunk together: a promise for each line would cost more than the splitting.
 */
export async function* splitLines(text: AsyncIterable<string>, maxLength: number): AsyncGenerator<Line[]> {
  const lineEnd = /\r\n|\n|\r/g;
  let number = 0;
  let rest = '';
  let tooLong = false;
  const line = (content: string, end: string): Line => {
    number += 1;
    const result = { number, text: content, end, tooLong: tooLong || content.length > maxLength };
    tooLong = false;
    return result;
  };
  for await (const chunk of text) {
    const lines: Line[] = [];
    const buffer = rest + chunk;
    let start = 0;
    // The rest of the last chunk has no line end, except a CR as its last character.
    lineEnd.lastIndex = Math.max(0, rest.length - 1);
    for (let match = lineEnd.exec(buffer); match !== null; match = lineEnd.exec(buffer)) {
      // A CR at the very end may be the first half of a CRLF.
      if (match[0] === '\r' && lineEnd.lastIndex === buffer.length) break;
      lines.push(line(buffer.slice(start, match.index), match[0]));
      start = lineEnd.lastIndex;
    }
    rest = buffer.slice(start);
    if (rest.length > maxLength) {
      tooLong = true;
      rest = rest.endsWith('\r') ? '\r' : '';
    }
    yield lines;
  }
  if (rest.endsWith('\r')) yield [line(rest.slice(0, -1), '\r')];
  else if (rest !== '' || tooLong) yield [line(rest, '')];
}
