import { option, text, toggle } from './option.ts'
import { folderOrBucket, origin, pattern, urlOf, wholeNumber } from './readers.ts'

/** Images and videos. */
export const mediaOptions = {
  media: text({
    flag: 'media',
    takes: 'FOLDER|s3://BUCKET',
    describe:
      'Storage of images and videos: a folder, or a bucket of an S3-compatible store (`s3://bucket/prefix`). Defaults to `media` in the data folder. Nodes that share a database must share this storage.',
    read: folderOrBucket,
  }),
  mediaMoved: toggle(
    'media-moved',
    'Use the store of --media although the database used another one before, for example after a restore without media. Files that it lacks return 404. For one start.',
  ),
  mediaEndpoint: text({
    flag: 'media-endpoint',
    takes: 'URL',
    describe: 'URL of the S3-compatible store of --media. Defaults to the AWS endpoint of the region.',
    read: urlOf('https:', 'http:'),
  }),
  mediaRegion: option({
    flag: 'media-region',
    takes: 'NAME',
    describe: 'Region of the bucket of --media.',
    fallback: 'us-east-1',
    read: pattern(/^[a-z0-9-]{1,63}$/, 'the name of a region'),
  }),
  mediaUrl: text({
    flag: 'media-url',
    takes: 'URL',
    describe: 'Public origin of images and videos. Defaults to the origin of the core API.',
    read: origin,
  }),
  ffmpeg: text({
    flag: 'ffmpeg',
    takes: 'FILE|none',
    describe:
      'Program that extracts the first frame of a video as its poster. Defaults to `ffmpeg` on the PATH. With `none`, or if no program is found, posters are placeholders.',
  }),
  mediaPerUser: option({
    flag: 'media-per-user',
    takes: 'BYTES',
    describe:
      'Quota for the images and videos of one user. Media that have appeared in a post count towards it permanently.',
    fallback: 4 * 1024 ** 3,
    read: wholeNumber(1, 1e15 - 1),
  }),
} as const
