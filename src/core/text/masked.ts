const address = /(?<![^\s@<>()"'`,;:/])([^\s@<>()"'`,;:/])[^\s@<>()"'`,;:/]*@([^\s@<>()"'`,;:/]+)/gu;

/** Masks e-mail addresses in a text so that a reader who knows an address still recognises it: `a***@example.edu`. */
export function masked(text: string): string {
  return text.includes('@') ? text.replace(address, '$1***@$2') : text;
}

/** Returns whether a text has a masked address. */
export function isMasked(text: string): boolean {
  return text.includes('***@');
}
