import { postsEndpoint } from '../../volume.ts'

/** GET /2/posts/sample10/stream: 10 % of all public posts (core reference, 07 section 1). */
export const streamSample10 = postsEndpoint({
  id: 'streamSample10',
  path: '/2/posts/sample10/stream',
  summary: 'Stream a larger sample of posts',
  contents: 'Sends 10 % of all public posts as they are published, among them those of the sample of 1 %.',
  calls: 100,
  volume: { endpointName: 'sample10_stream', partitions: 2, percent: 10 },
})
