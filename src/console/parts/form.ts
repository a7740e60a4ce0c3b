import { type Html, html } from '../../core/html/html.ts';
import { filledPath } from '../../core/text/addresses.ts';
import { mayDo, type Viewer } from '../access/viewer.ts';
import { type ActingName, acting } from '../api/acting.ts';

interface PostOptions {
  viewer: Pick<Viewer, 'csrfToken'>;
  /** Text of the button. */
  label: string | Html;
  kind?: 'primary' | 'danger' | undefined;
  /** What the button adds to the form, if there are several. */
  button?: { name: string; value: string } | undefined;
  /** Values that the user does not see. */
  hidden?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Fields that the user fills in. */
  fields?: Html | undefined;
  /** A button after the first one. */
  also?: Html | false | undefined;
  /** Whether a field is a file. */
  hasFile?: boolean;
}

/** A form with the token of its session: a button, with the fields before the button. */
export function postForm(
  action: string,
  { viewer, label, kind, button, hidden = {}, fields, also, hasFile }: PostOptions,
): Html {
  const secrets = Object.entries({ csrf: viewer.csrfToken, ...hidden }).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  return html`<form method="post" action="${action}"${hasFile && html` enctype="multipart/form-data"`}${fields === undefined && html` class="bare"`}>
${secrets.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields}<button${kind && html` class="${kind}"`}${button && html` name="${button.name}" value="${button.value}"`}>${label}</button>${also && html` ${also}`}</form>`;
}

interface FormOptions extends PostOptions {
  viewer: Viewer;
  /** Viewers without the role for this action do not see the form. */
  does: ActingName;
  /** Values of the parameters in the address of the action. */
  to?: Readonly<Record<string, string>>;
}

/** A form that starts an action. */
export function actionForm({ does, to, ...form }: FormOptions): Html | undefined {
  return mayDo(form.viewer, acting[does].role) ? postForm(actionPath(does, to), form) : undefined;
}

/** Returns the address to which the form of an action is sent. */
export function actionPath(does: ActingName, to: FormOptions['to'] = {}): string {
  return filledPath(acting[does].path, to);
}

/** A labelled text field. */
export function textField(options: {
  name: string;
  /** Absent: the name. */
  id?: string;
  label: string;
  value?: string;
  type?: 'text' | 'search' | 'password' | 'number' | 'month' | 'date';
  hint?: string;
  isRequired?: boolean;
  /** Whether a person types into it first. */
  isFirst?: boolean;
  autocomplete?: string;
}): Html {
  const { name, id = name, label, value = '', type = 'text', hint, isRequired, isFirst, autocomplete } = options;
  const described = hint !== undefined && html` aria-describedby="${id}-hint"`;
  return html`<p class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="${type}" value="${value}"${isRequired && html` required`}${isFirst && html` autofocus`}${described}${
    autocomplete && html` autocomplete="${autocomplete}"`
  }>${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}</p>`;
}

/** A field for the reason of an action. */
export function reasonField({ isRequired = false } = {}): Html {
  const hint = 'It is kept in the history, with your name.';
  return longField({ name: 'reason', label: isRequired ? 'Reason' : 'Reason (optional)', hint, isRequired });
}

/** A labelled field for some lines. Enter adds a line instead of sending the form, so that it decides nothing. */
export function longField(options: {
  name: string;
  /** Absent: the name. */
  id?: string;
  label: string;
  hint: string;
  isRequired?: boolean | undefined;
}): Html {
  const { name, id = name, label, hint, isRequired } = options;
  return html`<p class="field"><label for="${id}">${label}</label>
<textarea id="${id}" name="${name}" rows="2" maxlength="1000"${isRequired && html` required`} aria-describedby="${id}-hint"></textarea>
<span class="hint" id="${id}-hint">${hint}</span></p>`;
}

/** A labelled checkbox that is checked. */
export function checkField({ name, label }: { name: string; label: string }): Html {
  return html`<p class="field"><label><input type="checkbox" name="${name}" value="1" checked> ${label}</label></p>`;
}

/** A labelled choice. */
export function selectField(options: {
  name: string;
  label: string;
  value?: string;
  options: ReadonlyArray<readonly [value: string, text: string]>;
}): Html {
  const { name, label, value = '' } = options;
  return html`<p class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${options.options.map(
    ([each, text]) => html`<option value="${each}"${each === value && html` selected`}>${text}</option>`,
  )}</select></p>`;
}

/** The form above a list: fields that filter or search it, without JavaScript. */
export function filterForm({ path, fields, button }: { path: string; fields: Html; button: string }): Html {
  return html`<form class="search" role="search" method="get" action="${path}">
${fields}<button class="primary">${button}</button></form>`;
}
