/** One physical line of a text. */
export interface Line {
  /** Counted from 1. */
  number: number;
  /** If the line is too long, only its beginning. */
  text: string;
  /** The line end; '' for a last line without one. */
  end: string;
  tooLong: boolean;
}

/** This much of a line that is too long is kept, to show it. */
const HEAD_LENGTH = 200;

/**
 * Splits streamed text into lines, holding no more than one line of `maxLength` characters. Yields the lines of each chunk
 * together: a promise for each line would cost more than the splitting.
 * @param lineEnd with the flag g. Default: LF, CRLF and CR, in any mixture
 */
export async function* splitLines(
  text: AsyncIterable<string>,
  maxLength: number,
  lineEnd = /\r\n|\n|\r/g,
): AsyncGenerator<Line[]> {
  let number = 0;
  let rest = '';
  let head: string | undefined;
  const line = (content: string, end: string): Line => {
    number += 1;
    const result = { number, text: head ?? content, end, tooLong: head !== undefined || content.length > maxLength };
    head = undefined;
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
      head ??= rest.slice(0, HEAD_LENGTH);
      rest = rest.endsWith('\r') ? '\r' : '';
    }
    yield lines;
  }
  if (rest.endsWith('\r')) yield [line(rest.slice(0, -1), '\r')];
  else if (rest !== '' || head !== undefined) yield [line(rest, '')];
}
