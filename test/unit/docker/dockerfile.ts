import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Instruction {
  /** In upper case: FROM, RUN … */
  name: string;
  rest: string;
}

export interface Stage {
  base: string;
  name: string;
  instructions: Instruction[];
}

/** The stages of the repository's Dockerfile; each begins with a FROM, which names the stage. Arguments before have their defaults. */
export function readStages(): Stage[] {
  const text = readFileSync(join(import.meta.dirname, '../../../Dockerfile'), 'utf8');
  const stages: Stage[] = [];
  const defaults = new Map<string, string>();
  for (const instruction of readInstructions(text)) {
    if (instruction.name === 'FROM') {
      const [base = '', , name = String(stages.length)] = instruction.rest.split(/\s+/);
      const image = base.replace(/^\$\{(\w+)\}$/, (whole, argument: string) => defaults.get(argument) ?? whole);
      stages.push({ base: image, name, instructions: [] });
    } else if (stages.length === 0 && instruction.name === 'ARG') {
      const [argument = '', value = ''] = instruction.rest.split('=');
      defaults.set(argument, value);
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`${instruction.name} is before the first FROM`);
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

/** The command of the last stage's health check, as in Compose: CMD, program, arguments. */
export function healthCheckOf(stages: readonly Stage[]): string[] {
  const { rest = '' } = stages.at(-1)?.instructions.find(({ name }) => name === 'HEALTHCHECK') ?? {};
  const [, command = '[]'] = rest.split(/\bCMD\s+/);
  return ['CMD', ...(JSON.parse(command) as string[])];
}

function readInstructions(text: string): Instruction[] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name: name.toUpperCase(), rest };
    });
}
