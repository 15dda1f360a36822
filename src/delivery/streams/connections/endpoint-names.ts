/**
 * The names of streams in connections (core reference, 04 section 4.1), with those that the
 * reference adds.
 */
export const ENDPOINT_NAMES = [
  'filtered_stream',
  'sample_stream',
  'sample10_stream',
  'firehose_stream',
  'posts_compliance_stream',
  'users_compliance_stream',
  'post_label_stream',
  'firehose_stream_lang_en',
  'firehose_stream_lang_ja',
  'firehose_stream_lang_ko',
  'firehose_stream_lang_pt',
  'likes_firehose_stream',
  'likes_sample10_stream',
  'likes_compliance_stream',
  'activity_stream',
  'powerstream',
] as const
export type EndpointName = (typeof ENDPOINT_NAMES)[number]

/** Streams for every app (core reference, 07 section 1.1). */
const FOR_EVERY_APP: readonly EndpointName[] = [
  'filtered_stream',
  'sample_stream',
  'activity_stream',
  'powerstream',
]

/** Whether a stream is for apps with an enterprise plan. */
export const isForEnterprise = (name: EndpointName): boolean => !FOR_EVERY_APP.includes(name)
