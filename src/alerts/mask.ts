const address = /([^\s@<>()"'`,;:/])[^\s@<>()"'`,;:/]*@([^\s@<>()"'`,;:/]+)/gu;

/** A text in which e-mail addresses show no more than whether one is meant that the reader knows: `a***@example.edu`. */
export function masked(text: string): string {
  return text.replace(address, '$1***@$2');
}
