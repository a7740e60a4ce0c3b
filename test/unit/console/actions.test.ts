import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ActionName, type AnyAction, actionTable } from '../../../src/app/actions/actions.ts';
import type { CommandName } from '../../../src/cli/command-list.ts';
import { loadCommand } from '../../../src/cli/load-command.ts';
import { acting } from '../../../src/console/api/acting.ts';

const root = join(import.meta.dirname, '../../..');
const pages = globSync('src/{console,documents}/**/*.ts', { cwd: root }).map((file) =>
  readFileSync(join(root, file), 'utf8'),
);
/** What a command has as arguments, asks for or shows instead. */
const NO_OPTIONS = ['sync', 'set', 'keys', 'key', 'cmsId', 'questions'];

describe.each(Object.keys(actionTable) as ActionName[])('The action %s', (name) => {
  const { path, role, command, input, needs = [], confirms } = actionTable[name] as unknown as AnyAction;

  test('is an endpoint that asks for what it needs', () => {
    const { body, ...endpoint } = acting[name];
    expect(endpoint).toMatchObject({ method: 'POST', path, role });
    const shape = body?.shape ?? {};
    expect(Object.keys(shape).toSorted()).toEqual(
      [...Object.keys(input.shape), ...(confirms ? ['confirm'] : [])].toSorted(),
    );
    for (const member of needs) expect(shape[member]?.safeParse(undefined)).toMatchObject({ success: false });
  });

  test('has a form on a page', () => {
    const use = `does: '${name}'`;
    expect(pages.some((text) => text.includes(use))).toBe(true);
  });

  test('is a command with an option for each part of its input', async () => {
    const { options } = await loadCommand[command as CommandName]();
    const flags = options.map(({ long }) => long);
    const asked = Object.keys(input.shape).filter((member) => !NO_OPTIONS.includes(member));
    const wanted = asked.flatMap((member) => (member === 'answer' ? ['--same', '--distinct'] : [`--${member}`]));
    expect(flags).toEqual(expect.arrayContaining(wanted));
  });
});
