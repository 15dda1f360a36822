/** What common clients call Plaza's neutral words. */
export const CLIENT_WORDS = {
  post: 'tweet',
  posts: 'tweets',
  repost: 'retweet',
  reposts: 'retweets',
  reposted: 'retweeted',
  service: 'twitter',
  svc: 'twitter',
} as const
