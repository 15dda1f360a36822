import { likesEndpoint } from '../volume.ts'

/** GET /2/likes/firehose/stream: all public likes (core reference, 07 section 2). */
export const streamLikesFirehose = likesEndpoint({
  id: 'streamLikesFirehose',
  path: '/2/likes/firehose/stream',
  summary: 'Stream all likes',
  contents:
    'Sends all public likes as they are made: those of users whose posts everyone sees, of posts that everyone sees. With the expansion `liked_post_author_id`, `includes.users` has the author of the post and the user who likes it.',
  calls: 50,
  volume: { endpointName: 'likes_firehose_stream', partitions: 20, percent: 100 },
})

/** GET /2/likes/sample10/stream: 10 % of all public likes. */
export const streamLikesSample10 = likesEndpoint({
  id: 'streamLikesSample10',
  path: '/2/likes/sample10/stream',
  summary: 'Stream a sample of likes',
  contents: 'Sends 10 % of all public likes as they are made, every client the same ones.',
  calls: 100,
  volume: { endpointName: 'likes_sample10_stream', partitions: 2, percent: 10 },
})
