import { sampleEndpoint } from '../../volume.ts'

/** GET /2/posts/sample/stream: 1 % of all public posts (core reference, 07 section 1). */
export const streamSample = sampleEndpoint({
  id: 'streamSample',
  path: '/2/posts/sample/stream',
  summary: 'Stream a sample of posts',
  contents:
    'Sends 1 % of all public posts as they are published. Every client receives the same ones: those whose id was made in certain 10 milliseconds of a second.',
  calls: 50,
  volume: { endpointName: 'sample_stream', partitions: 1, percent: 1 },
})
