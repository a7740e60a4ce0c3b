import type { SyncConfig, TargetConfig } from '../../config/types.ts';
import type { FeedSample } from '../../inference/sample.ts';
import { hideInError, hideSecrets } from './hide-secrets.ts';
import { readSample } from './read-sample.ts';
import type { OpenSample } from './sample-feed.ts';

/**
 * Reads the first records of a feed as a sync says, whatever its fields are.
 * @throws CodedError FF_FEED_… if the feed is not in the format of the connector
 */
export async function sampleOfSync(
  { beginning, access: { secrets } }: OpenSample,
  { source }: SyncConfig,
  { timezone: siteTimezone }: TargetConfig,
  signal: AbortSignal,
): Promise<FeedSample> {
  const { connector, options, timezone = siteTimezone } = source;
  const zones = { timezone, siteTimezone };
  try {
    const read = await readSample(beginning.asFeed(), connector, options as Record<string, unknown>, signal, zones);
    const sample = {
      ...{ url: source.url, connector, options: {}, records: read.records, head: '' },
      isWhole: beginning.isWhole && read.isEnded && read.gaps.length === 0,
    };
    return hideSecrets(sample, secrets);
  } catch (error) {
    throw hideInError(error, secrets);
  }
}
