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

/**
 * The official SDK sends older and newer words, sometimes in one call, and mostly reads the newer
 * ones.
 */
export const NEWER_CLIENT_VOCABULARY = {
  words: {
    post: ['post', 'tweet'],
    posts: ['posts', 'tweets'],
    repost: ['repost', 'retweet'],
    reposts: ['reposts', 'retweets'],
  },
  identifiers: {
    reposted: ['retweeted', 'reposted'],
    reposted_by: ['retweeted_by', 'reposted_by'],
    PostVideo: 'TweetVideo',
    'post.read': 'tweet.read',
    'post.write': 'tweet.write',
    'referenced_posts.id': ['referenced_posts.id', 'referenced_tweets.id', 'referenced_posts'],
    'affiliation.user_id': ['affiliation.user_id', 'affiliation'],
  },
}
