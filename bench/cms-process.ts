import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Traffic } from './fast-cms.ts';

/** A CMS in a process of its own, that keeps nothing. */
export interface CmsProcess {
  url: string;
  token: string;
  /** What it has seen since it was last asked. */
  traffic(): Promise<Traffic>;
  stop(): Promise<void>;
}

/** @param latencyMs how long every request takes at least */
export async function startCms(latencyMs: number): Promise<CmsProcess> {
  const child = fork(join(import.meta.dirname, 'fast-cms.ts'), [String(latencyMs)], {
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
