const MAX_LENGTH = 100;

/** Makes a file name that is safe everywhere: the last segment of a path, plain characters, and a matching extension. */
export function safeFileName(path: string, extensions: readonly string[]): string {
  const last = path.split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s-]+|(?<![.\s-])[.\s-]+$/g, '');
  const [, stem = plain, ending = ''] = /^(.*)\.([^.]*)$/.exec(plain) ?? [];
  const fits = extensions.includes(ending.toLowerCase());
  const base = (fits ? stem : plain).slice(0, MAX_LENGTH).replace(/(?<![.\s-])[.\s-]+$/, '') || 'file';
  return `${base}.${fits ? ending.toLowerCase() : (extensions[0] ?? 'bin')}`;
}
