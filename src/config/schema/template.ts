import { createLiquid } from '../../core/expressions/liquid.ts';

const engine = createLiquid();

/** Why a Liquid template cannot be used, or undefined where it can. */
export function templateMistake(template: string): string | undefined {
  try {
    engine.parse(template);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/, line:1, col:\d+$/, '') : String(error);
  }
}
