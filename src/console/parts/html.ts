import { html as template } from 'hono/html';

/** Markup whose values are escaped. */
export interface Html {
  readonly isEscaped: true;
  toString(): string;
}

type Value = string | number | boolean | null | undefined | Html | readonly Value[];

/** Returns markup; all texts in it are escaped. Nothing is shown for absent and boolean values. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  // The template returns a promise only if a value is a promise, and no value here is one.
  return template(strings, ...values) as unknown as Html;
}
