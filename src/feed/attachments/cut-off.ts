/** Programs add other data after the end of a file, so that the end is looked for in this many bytes. */
const TAIL = 65_536;

/** Media type → whether the bytes at the end of a file, or the first ones with its size, show its end. */
const ends: Readonly<Record<string, (tail: Buffer, first: Buffer, size: number) => boolean>> = {
  'image/jpeg': (tail) => tail.includes(Buffer.of(0xff, 0xd9)),
  'image/png': (tail) => tail.includes('IEND', 0, 'latin1'),
  'image/apng': (tail) => tail.includes('IEND', 0, 'latin1'),
  'image/gif': (tail) => tail.findLast((byte) => byte !== 0) === 0x3b,
  'image/webp': (_, first, size) => first.readUInt32LE(4) + 8 <= size + 1,
  'application/pdf': (tail) => tail.includes('%%EOF', 0, 'latin1'),
};

/** Returns whether a file lacks its end. The first half may have the end of a picture in the picture. */
export async function isCutOff(content: Blob, mediaType: string): Promise<boolean> {
  const isWhole = ends[mediaType];
  if (isWhole === undefined) return false;
  const bytesFrom = async (start: number, end: number) => Buffer.from(await content.slice(start, end).arrayBuffer());
  const { size } = content;
  return !isWhole(await bytesFrom(Math.max(size / 2, size - TAIL), size), await bytesFrom(0, 12), size);
}
