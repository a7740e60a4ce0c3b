import { type Html, html } from '../core/html/html.ts';
import type { Json, Payload } from '../core/record.ts';
import { asObject, type ResourceKind } from './resource.ts';
import type { Item } from './store/store.ts';

/** The fields of a form as a browser sends them. */
export type SentForm = Record<string, string | string[] | undefined>;

interface FormParts {
  /** Address of the form. */
  path: string;
  kind: ResourceKind;
  item: Item;
  /** Proves that the form is one of this site. */
  token: string;
  /** Fields of a form that was refused, and why. */
  sent?: SentForm;
  problems?: string[];
}

/** A form of an item with a field for each attribute that is text, a number or a truth value; the others are only shown. */
export function itemForm({ path, kind, item, token, sent = {}, problems = [] }: FormParts): Html {
  const values = { ...Object.fromEntries(kind.editable.map((name) => [name, ''])), ...flat(item.data) };
  const fields = Object.entries(values).filter((entry): entry is [string, Plain] => isPlain(entry[1]));
  const others = Object.entries(kind.present(item)).filter(([name]) => !Object.hasOwn(values, name) && name !== 'time');
  const objects = Object.entries(values).filter(([, value]) => !isPlain(value));
  const secret = html`<input type="hidden" name="_token" value="${token}">`;
  return html`<h1>${path.slice('/admin/'.length)}</h1>
${problems.map((problem) => html`<p role="alert">Not saved: ${problem}</p>\n`)}
<form method="post" action="${path}">${secret}
${fields.map(([name, value]) => field(name, String(sent[name] ?? value)))}
<p><button>Save</button></p></form>
<form method="post" action="${path}/delete">${secret}<button>Delete</button></form>
<h2>Other attributes</h2>
<table>
${[...objects, ...others].map(([name, value]) => html`<tr><th>${name}</th><td><pre>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre></td></tr>\n`)}</table>`;
}

/** Returns the attributes that a form changes. A value keeps its type if the text can be one of that type. */
export function readForm(data: Payload, sent: SentForm): Payload {
  const before = flat(data);
  const changes: Payload = {};
  for (const [name, text] of Object.entries(sent)) {
    const current = before[name];
    if (name.startsWith('_') || typeof text !== 'string' || text === String(current ?? '')) continue;
    const [key = '', part] = name.split('.');
    const value = typed(text.replaceAll('\r\n', '\n'), current);
    changes[key] = part === undefined ? value : { ...asObject(changes[key]), [part]: value };
  }
  return changes;
}

type Plain = string | number | boolean | null;

function isPlain(value: Json | undefined): value is Plain {
  return typeof value !== 'object' || value === null;
}

/** The attributes, with the parts of the time as attributes of their own. */
function flat({ time, ...data }: Payload): Payload {
  const parts = Object.entries(asObject(time) ?? {}).map(([part, value]) => [`time.${part}`, value] as const);
  return { ...data, ...Object.fromEntries(parts) };
}

function field(name: string, value: string): Html {
  const input =
    name === 'description'
      ? html`<textarea id="${name}" name="${name}" rows="6">\n${value}</textarea>`
      : html`<input id="${name}" name="${name}" value="${value}">`;
  return html`<p><label for="${name}">${name}</label> ${input}</p>\n`;
}

function typed(text: string, current: Json | undefined): Json {
  if (text === '') return null;
  if (typeof current === 'number' && String(Number(text)) === text) return Number(text);
  if (typeof current === 'boolean' && ['true', 'false'].includes(text)) return text === 'true';
  return text;
}
