import { postsEndpoint } from '../../volume.ts'

/** GET /2/posts/firehose/stream: all public posts (core reference, 07 section 1). */
export const streamFirehose = postsEndpoint({
  id: 'streamFirehose',
  path: '/2/posts/firehose/stream',
  summary: 'Stream all posts',
  contents: 'Sends all public posts as they are published.',
  calls: 50,
  volume: { endpointName: 'firehose_stream', partitions: 20, percent: 100 },
})
