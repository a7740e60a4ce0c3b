/** Markup whose values are escaped. */
export interface Html {
  readonly isEscaped: true;
  toString(): string;
}

type Value = string | number | boolean | null | undefined | Html | readonly Value[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Returns markup; all texts in it are escaped. Nothing is shown for absent and boolean values. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return raw(String.raw({ raw: strings }, ...values.map(escaped)));
}

/** Returns text that is markup already, such as sanitised HTML. */
export function raw(markup: string): Html {
  return { isEscaped: true, toString: () => markup };
}

function escaped(value: Value): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  return Array.isArray(value) ? value.map(escaped).join('') : String(value);
}
