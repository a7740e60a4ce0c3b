import { fileTypeFromBlob } from 'file-type';

/** The media types that may be uploaded, and their file extensions; the first is added to names without one. */
const uploadable: Record<string, readonly string[]> = {
  'image/png': ['png'],
  'image/apng': ['png', 'apng'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'application/pdf': ['pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'audio/mpeg': ['mp3'],
  'video/mp4': ['mp4', 'm4v'],
};

export interface MediaType {
  mediaType: string;
  extensions: readonly string[];
}

/**
 * Detects the media type of a file from its content. Returns undefined if it may not be uploaded, such as SVG and HTML,
 * which have no signature and may contain scripts.
 */
export async function uploadableType(content: Blob): Promise<MediaType | undefined> {
  const found = await fileTypeFromBlob(content);
  const extensions = found && Object.hasOwn(uploadable, found.mime) ? uploadable[found.mime] : undefined;
  return found && extensions ? { mediaType: found.mime, extensions } : undefined;
}
