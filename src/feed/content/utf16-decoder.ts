import { StringDecoder } from 'node:string_decoder';
import { markBytes } from '../../core/text/undecodable.ts';

/**
 * Decodes a stream of UTF-16. Half a character is marked, and changes no other character.
 * @param charset utf-16le or utf-16be
 */
export function createUtf16Decoder(charset: string, onMark: () => void) {
  const decoder = new StringDecoder('utf16le');
  /** The first byte of a unit. */
  let held: Uint8Array = new Uint8Array();
  let isStart = true;

  return {
    decode(chunk: Uint8Array): string {
      const bytes = Buffer.concat([held, chunk]);
      const end = bytes.length - (bytes.length % 2);
      held = bytes.subarray(end);
      const units = bytes.subarray(0, end);
      const text = marked(decoder.write(charset === 'utf-16be' ? units.swap16() : units));
      const isMark = isStart && text.startsWith('\uFEFF');
      isStart &&= text === '';
      return isMark ? text.slice(1) : text;
    },
    /** @param isCutOff whether the bytes may end inside a character, which is left out */
    end(isCutOff: boolean): string {
      const rest = decoder.end();
      if (isCutOff) return '';
      if (held.length > 0) onMark();
      return marked(rest) + markBytes(held);
    },
  };

  function marked(text: string): string {
    if (text.isWellFormed()) return text;
    onMark();
    return text.replace(/\p{Surrogate}/gu, markBytes(Uint8Array.of(0xff)));
  }
}
