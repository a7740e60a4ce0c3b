/** Width and height of an image in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/** Reads the size from an image's header; undefined if the header is cut or not of that type. */
export function imageSize(mediaType: string, bytes: Buffer): ImageSize | undefined {
  try {
    return readers[mediaType]?.(bytes);
  } catch (error) {
    // Reading past the end: the file is cut.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const readers: Record<string, (bytes: Buffer) => ImageSize | undefined> = {
  'image/png': (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  'image/gif': (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

/** Walks the segments up to the start of frame (ITU-T T.81, B.2). */
function jpegSize(bytes: Buffer): ImageSize | undefined {
  for (let at = 2; at < bytes.length; ) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** The three forms of WebP (RFC 9649): extended, lossless, lossy. */
function webpSize(bytes: Buffer): ImageSize | undefined {
  const form = bytes.toString('latin1', 12, 16);
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (form === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (form !== 'VP8L') return undefined;
  const packed = bytes.readUInt32LE(21);
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}
