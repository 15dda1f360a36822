import parser from 'twitter-text'

const { hashSigns, hashtagAlphaNumeric, cashtag } = parser.regexen

// What is one hashtag or cashtag in a post must be one in a query: both have the expressions of one parser.

/** A hashtag with its sign; the group is the tag. Sticky, and not for code points. */
export const HASHTAG = new RegExp(
  `${hashSigns.source}(?!\\uFE0F|\\u20E3)(${hashtagAlphaNumeric.source}+)`,
  'y',
)

/** The name in a cashtag, without its sign. */
export const CASHTAG_NAME = cashtag.source
