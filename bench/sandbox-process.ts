import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Traffic } from './observed-sandbox.ts';

/** A sandbox in a process of its own, that keeps nothing. */
export interface SandboxProcess {
  url: string;
  token: string;
  /** What it has seen since it was last asked. */
  traffic(): Promise<Traffic>;
  stop(): Promise<void>;
}

/** @param latencyMs how long every request takes at least */
export async function startSandboxProcess(latencyMs: number): Promise<SandboxProcess> {
  const child = fork(join(import.meta.dirname, 'observed-sandbox.ts'), [String(latencyMs)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const answer = async <Answer>() => ((await once(child, 'message')) as [Answer])[0];
  const { url, token } = await answer<{ url: string; token: string }>();
  return {
    url,
    token,
    traffic() {
      child.send('traffic');
      return answer<Traffic>();
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
