import { choice, standard } from '../../../../platform/http/schema.ts'

/** The types of files that can be uploaded, with other names that clients use. */
const TYPES = [
  'image/jpeg',
  'image/jpg',
  'image/pjpeg',
  'image/png',
  'image/webp',
  'image/bmp',
  'image/gif',
  'video/mp4',
  'video/quicktime',
  'text/srt',
  'text/vtt',
]

export const knownType = standard(choice(TYPES, 'Type of the file.', 'UploadType'))
