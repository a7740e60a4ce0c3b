import { fileTypeFromBlob } from 'file-type';

/** What may be uploaded, by media type, and the name endings that fit it (the first is put on names without one). */
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
 * The media type of a file by its content, where it is one that may be uploaded. SVG and HTML have no signature and can
 * carry scripts: they are never among them.
 */
export async function uploadableType(content: Blob): Promise<MediaType | undefined> {
  const found = await fileTypeFromBlob(content);
  const extensions = found && Object.hasOwn(uploadable, found.mime) ? uploadable[found.mime] : undefined;
  return found && extensions ? { mediaType: found.mime, extensions } : undefined;
}
