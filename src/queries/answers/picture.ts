import { isObject, type Json } from '../../core/record.ts';
import type { DifferenceView } from '../views/shared.ts';

const PICTURE = /\.(avif|gif|jpe?g|png|svg|webp)$/i;
const NAMES_PICTURE = /image|photo|picture|poster|logo|thumb|bild|foto/i;

/**
 * Returns the address at which browsers load a picture; undefined for any other value. A path is one of the CMS. Other servers
 * count only with https, so that a feed cannot make a browser request a device of its network.
 * @param value as the CMS has it (`{ src }` or text), or the address of a file of the feed
 * @param baseUrl of the CMS
 */
export function pictureAt(value: Json | undefined, attribute: string, baseUrl: string): string | undefined {
  const isFile = isObject(value) && typeof value.src === 'string';
  const text = isFile ? value.src : value;
  if (typeof text !== 'string' || (!isFile && !/^https?:\/\//i.test(text)) || !URL.canParse(text, baseUrl))
    return undefined;
  const url = new URL(text, baseUrl);
  const isShown = url.protocol === 'https:' || url.origin === new URL(baseUrl).origin;
  const isPicture = PICTURE.test(url.pathname) || (!/\.\w+$/.test(url.pathname) && NAMES_PICTURE.test(attribute));
  return isShown && isPicture ? url.href : undefined;
}

/** A difference, and the files of both sides if they are not in its values. */
type Compared = DifferenceView & { files?: { from?: Json | undefined; to?: Json | undefined } };

/** Returns differences with the addresses of their pictures. */
export function withPictures(differences: readonly Compared[], baseUrl: string): DifferenceView[] {
  return differences.map(({ files = {}, ...difference }) => {
    const { attribute } = difference;
    const from = pictureAt(files.from ?? difference.from, attribute, baseUrl);
    const to = pictureAt(files.to ?? difference.to, attribute, baseUrl);
    return { ...difference, pictures: from === undefined && to === undefined ? undefined : { from, to } };
  });
}
