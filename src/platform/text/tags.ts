import parser from 'twitter-text'

const { hashSigns, hashtagAlphaNumeric, cashtag } = parser.regexen

// A hashtag or cashtag must be the same in a post and in a query, so both use the patterns of one
// parser.

/** A hashtag with its sign; the group is the tag. Sticky, and based on code units. */
export const HASHTAG = new RegExp(
  `${hashSigns.source}(?!\\uFE0F|\\u20E3)(${hashtagAlphaNumeric.source}+)`,
  'y',
)

/** The name in a cashtag, without its sign. */
export const CASHTAG_NAME = cashtag.source
