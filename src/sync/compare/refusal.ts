import { hashJson } from '../../core/hash.ts';

/**
 * What a refusal of the CMS is about: the content of a record, and the config that decides how it is sent. As long as
 * neither changes, sending it again would be refused again.
 * @param hash of the desired record
 * @param configHash of the config, see `deliveryFingerprint`
 */
export function refusalHash(hash: string, configHash: string): string {
  return hashJson([hash, configHash]);
}
