import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in the upload of files. */
export const uploadMutants: Mutant[] = [
  ...inFile('src/sandbox/upload.ts', [
    {
      name: 'field-of-another-name',
      rule: 'The file is in a form field named upload',
      before: "part.fieldname === 'upload'",
      after: "part.fieldname === 'file'",
    },
    {
      name: 'field-of-any-name',
      rule: 'The file is in a form field named upload',
      before: "part.fieldname === 'upload'",
      after: "part.fieldname !== ''",
    },
    {
      name: 'upload-attribute-not-required',
      rule: 'Query: attribute (required)',
      before: "if (!attribute) throw new ApiError(400, 'Query parameter attribute is required.');",
      after: "if (!attribute) return 'file';",
    },
    {
      name: 'upload-content-type-unchecked',
      rule: 'The Content-Type must be multipart/form-data',
      before: "    checkContentType(request, 'multipart/form-data');\n",
      after: '',
    },
    {
      name: 'src-missing',
      rule: 'Upload result: src',
      before: 'return { src, fileName,',
      after: 'return { fileName,',
    },
    {
      name: 'file-extension-missing',
      rule: 'Upload result: fileExtension',
      before: 'fileExtension: extension, type',
      after: 'type',
    },
    {
      name: 'media-type-as-type',
      rule: 'Upload result: type (image or pdf seen)',
      before: 'type, typeName, ...image };',
      after: 'type: mediaType, typeName, ...image };',
    },
    {
      name: 'type-name-missing',
      rule: 'Upload result: typeName',
      before: 'type, typeName, ...image };',
      after: 'type, ...image };',
    },
    {
      name: 'alt-missing',
      rule: 'Upload result: alt, for images',
      before: '{ alt: base.replace(',
      after: '{ text: base.replace(',
    },
    {
      name: 'alt-of-a-pdf',
      rule: 'Upload result: alt, for images',
      before: 'imageAttributes(mediaType, base, content) : {};',
      after: 'imageAttributes(mediaType, base, content) : { alt: base };',
    },
    {
      name: 'size-as-numbers',
      rule: 'Upload result: height and width are strings',
      before: 'height: String(size.height), width: String(size.width)',
      after: 'height: size.height, width: size.width',
    },
    {
      name: 'size-turned',
      rule: 'Upload result: height, width',
      before: 'height: String(size.height), width: String(size.width)',
      after: 'height: String(size.width), width: String(size.height)',
    },
  ]),
];
