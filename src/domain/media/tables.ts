import {
  bigint,
  bytewise,
  flag,
  id64,
  integer,
  type RowOf,
  table,
  text,
} from '../../platform/storage/table.ts'

/** A file of the file store that is in use, or is about to be used. */
export const mediaFiles = table(
  'media_files',
  {
    /** SHA-256 in hex. */
    hash: text(),
    bytes: bigint(),
    /** When it is checked for remaining uses; null unless it is a candidate for deletion. */
    suspect_at: bigint({ null: true }),
    /** Marked for deletion: it can no longer be used. */
    going: flag(),
  },
  {
    key: ['hash'],
    indexes: {
      media_files_by_suspicion: ['going', 'suspect_at'],
    },
  },
)

/** An image, GIF or video that a user uploaded, or is uploading. */
export const media = table(
  'media',
  {
    id: id64(),
    /** The id with a prefix for its category. */
    media_key: text(),
    /** Media that others use stay when their owner is deleted. */
    owner_id: text(),
    /** Users who may use it too: a JSON list. */
    additional_owners: text(),
    /** Whether several direct messages may show it. */
    shared: flag({ default: 0 }),
    /** `POST_IMAGE`, `POST_GIF`, `POST_VIDEO`, `AMPLIFY_VIDEO` or `SUBTITLES`. */
    category: text(),
    /** `posts` or `messages`, if its category was named; null if it was derived. */
    made_for: text({ null: true }),
    /** `OPEN` during the upload, `PENDING` during processing, then `READY` or `FAILED`. */
    state: text(),
    /** While it is open, the announced size. */
    bytes: bigint(),
    hash: text({ null: true }),
    content_type: text({ null: true }),
    width: integer({ null: true }),
    height: integer({ null: true }),
    duration_ms: bigint({ null: true }),
    /** The poster or preview image. */
    poster_hash: text({ null: true }),
    poster_type: text({ null: true }),
    /** Whether it has appeared in a post. */
    posted: flag(),
    /** Alternative text. */
    alt_text: text({ null: true }),
    /** The oldest post that shows it; null if none does. */
    source_post_id: id64({ null: true }),
    /** End of the lease of the request that finishes the upload; 0 without one. */
    finishing_until: bigint(),
    /**
     * When it is deleted; null while it is in use. An upload in progress expires sooner than a
     * complete one.
     */
    expires_at: bigint({ null: true }),
    created_at: bigint(),
  },
  {
    key: ['id'],
    indexes: {
      media_by_owner: ['owner_id', 'expires_at', 'bytes'],
      media_by_expiry: ['expires_at'],
      media_by_hash: ['hash'],
      media_by_poster: ['poster_hash'],
    },
  },
)

/** A part of a medium that is being uploaded. */
export const mediaSegments = table(
  'media_segments',
  {
    media_id: id64({ belongsTo: media }),
    segment_index: integer(),
    hash: text(),
    bytes: bigint(),
  },
  {
    key: ['media_id', 'segment_index'],
    indexes: {
      media_segments_by_hash: ['hash'],
    },
  },
)

/** Subtitles of a video: one file for each language. They stay as long as the video. */
export const mediaSubtitles = table(
  'media_subtitles',
  {
    media_id: id64({ belongsTo: media }),
    /** In lower case. */
    language_key: bytewise(),
    language_code: text(),
    display_name: text(),
    subtitles_id: id64({ belongsTo: media }),
  },
  {
    key: ['media_id', 'language_key'],
    indexes: {
      media_subtitles_by_file: ['subtitles_id', 'media_id'],
    },
  },
)

/**
 * A use of a medium by a row of an account, or by a post or a message of a user. It prevents its
 * deletion.
 */
export const mediaUses = table(
  'media_uses',
  {
    /** An account, or `user:ID`. */
    account_id: bytewise(),
    /** The table of the row that uses it, and its id; that of the first version of a post. */
    holder: text(),
    holder_id: bytewise(),
    media_id: id64({ belongsTo: media }),
  },
  {
    key: ['account_id', 'holder', 'holder_id', 'media_id'],
    indexes: {
      media_uses_by_medium: ['media_id', 'account_id'],
      media_uses_by_holder: ['holder', 'holder_id'],
    },
  },
)

export type MediaFileRow = RowOf<typeof mediaFiles>

export type MediaRow = RowOf<typeof media>

export type MediaSegmentRow = RowOf<typeof mediaSegments>

export type MediaSubtitlesRow = RowOf<typeof mediaSubtitles>

export type MediaUseRow = RowOf<typeof mediaUses>
