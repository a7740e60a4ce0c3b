/** The longest text that an expression or a template may make, in characters. */
export const LONGEST_TEXT = 1_000_000;

const MOST_VALUES = 100_000;

/**
 * Checks the size of the result of an expression, before anything copies it: a list of one list twice, of one list twice, and so on
 * takes little memory until it is written.
 * @throws Error if the result is too large
 */
export function checkSize(result: unknown): void {
  if (typeof result !== 'string' && (typeof result !== 'object' || result === null)) return;
  let characters = 0;
  const values: unknown[] = [result];
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) values.push(item);
    if (characters > LONGEST_TEXT || values.length > MOST_VALUES) {
      throw new Error(
        `the result is too large: at most ${count(LONGEST_TEXT)} characters and ${count(MOST_VALUES)} values`,
      );
    }
  }
}

function count(number: number): string {
  return number.toLocaleString('en');
}
