import { isObject, type SourceRecord } from '../../src/core/record.ts';

/** Outlook's property, and that of RFC 9073 (6.5). They have the description as HTML if their FMTTYPE says so. */
export const styledDescriptions = ['X-ALT-DESC', 'STYLED-DESCRIPTION'];

/** Returns whether a field is HTML: one of these properties, or the description that was taken from it. */
export function isHtmlField(field: string, fields: SourceRecord['fields']): boolean {
  return styledDescriptions.some((property) => {
    const name = property.toLowerCase();
    const isTaken = field === name || (field === 'description' && fields.description === fields[name]);
    const params = isObject(fields.params) ? fields.params[name] : undefined;
    return isTaken && [params].flat().some((one) => isObject(one) && isHtmlType(one.fmttype));
  });
}

export function isHtmlType(type: unknown): boolean {
  return typeof type === 'string' && type.toLowerCase() === 'text/html';
}
