/** What a text is about, in place of the words RUN, SYNC and KEY in its commands. */
export interface Subject {
  run?: string;
  sync?: string;
  key?: string;
}

/** A part of a text for people: words, a command of feedferry, other code, or lines to copy. */
export interface TextPart {
  is: 'words' | 'command' | 'code' | 'lines';
  text: string;
}

/** Indented lines are to be copied, as in Markdown. */
const LINES = /\n((?: {4}.*(?:\n|$))+)/;
const CODE = /`([^`]+)`/;

/**
 * Splits a message or remedy into its parts. The texts are written once, with commands and settings between backticks; each medium
 * shows the parts in its way.
 */
export function textParts(text: string, subject: Subject = {}): TextPart[] {
  return text.split(LINES).flatMap((piece, place): TextPart[] => {
    if (place % 2 === 1) return [{ is: 'lines', text: piece.replaceAll(/^ {4}/gm, '').trimEnd() }];
    return piece.split(CODE).flatMap((part, each): TextPart[] => {
      if (part === '') return [];
      if (each % 2 === 0) return [{ is: 'words', text: part }];
      if (!part.startsWith('feedferry ')) return [{ is: 'code', text: part }];
      return [{ is: 'command', text: filledIn(part, subject) }];
    });
  });
}

/** Returns a text as a terminal shows it: its commands can be copied. */
export function terminalText(text: string, subject: Subject): string {
  return text.replaceAll(/`feedferry [^`]*`/g, (command) => filledIn(command, subject));
}

function filledIn(command: string, { run, sync, key }: Subject): string {
  const words = { RUN: run, SYNC: sync, KEY: key } as Record<string, string | undefined>;
  return command.replaceAll(/\b(RUN|SYNC|KEY)\b/g, (word) => inShell(words[word] ?? word) ?? word);
}

/** Returns a word of a command as a shell takes it; undefined if quotes are not enough. */
function inShell(word: string): string | undefined {
  if (/^[\w.@-]+$/.test(word)) return word;
  return /^[^"$`\\!\p{Cc}]+$/u.test(word) ? `"${word}"` : undefined;
}
