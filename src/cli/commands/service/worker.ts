import type { Command } from 'commander';
import { CodedError } from '../../../core/errors.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { serve } from './serve.ts';

export function workerCommand(): Command {
  return defineCommand('worker', 'deliver what other processes plan, through Redis; run as many as you need').action(
    execute(worker),
  );
}

async function worker(context: CommandContext): Promise<number> {
  const { redisUrl } = context.environment;
  if (!redisUrl) throw new CodedError('FF_QUEUE_NEEDS_REDIS', '`worker` needs Redis, but REDIS_URL is not set.');
  return serve(context, { leads: false }, () => 'Worker started.');
}
