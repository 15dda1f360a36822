import { option } from './option.ts'
import { oneOf, wholeNumber } from './readers.ts'

/** The plan of an app, which limits rules, searches and counts. */
type RuleAccess = 'self-serve' | 'enterprise'

/** Streams of posts and their rules. */
export const streamOptions = {
  ruleAccess: option({
    flag: 'rule-access',
    takes: 'self-serve|enterprise',
    describe:
      'What stream rules may contain, and the length of queries of searches and counts. `self-serve`: rules of 1,024 characters, queries of 512 (recent search) or 1,024. `enterprise`: rules of 2,048 characters with every operator, queries of 4,096.',
    fallback: 'self-serve' as RuleAccess,
    read: oneOf('self-serve', 'enterprise'),
  }),
  streamRulesPerApp: option({
    flag: 'stream-rules-per-app',
    takes: 'N',
    describe: 'Maximum number of stream rules of one app.',
    fallback: 1_000,
    read: wholeNumber(1, 100_000),
  }),
  streamRulesPerProject: option({
    flag: 'stream-rules-per-project',
    takes: 'N',
    describe: 'Maximum number of stream rules of all apps of one owner together.',
    fallback: 25_000,
    read: wholeNumber(1, 1_000_000),
  }),
  streamConnectionsPerApp: option({
    flag: 'stream-connections-per-app',
    takes: 'N',
    describe: 'Maximum number of open connections of one app to a stream of posts.',
    fallback: 1,
    read: wholeNumber(1, 10_000),
  }),
  streamPostsPerSecond: option({
    flag: 'stream-posts-per-second',
    takes: 'N',
    describe:
      'Maximum number of posts that one stream sends per second. Further posts wait in its buffer; a stream whose buffer is full is disconnected.',
    fallback: 250,
    read: wholeNumber(1, 1_000_000),
  }),
  streamBufferKilobytes: option({
    flag: 'stream-buffer-kilobytes',
    takes: 'KB',
    describe:
      'Size of the buffer of one stream. A client that reads too slowly is disconnected when its buffer is full.',
    fallback: 1_024,
    read: wholeNumber(64, 1_048_576),
  }),
  streamBackfillMinutes: option({
    flag: 'stream-backfill-minutes',
    takes: 'MIN',
    describe: 'Maximum value of `backfill_minutes`. 0 disables backfill.',
    fallback: 5,
    read: wholeNumber(0, 5),
  }),
  streamRecoveryHours: option({
    flag: 'stream-recovery-hours',
    takes: 'H',
    describe: 'How far in the past the `start_time` of a stream may be. 0 disables recovery.',
    fallback: 24,
    read: wholeNumber(0, 24),
  }),
  streamSamplePercent: option({
    flag: 'stream-sample-percent',
    takes: 'PERCENT',
    describe:
      'Share of the posts that `/2/posts/sample/stream` sends, and the least that `/2/posts/sample10/stream` sends, in percent. The more there are, the sooner a test receives one.',
    fallback: 1,
    read: wholeNumber(1, 100),
  }),
  streamRecoveryJobs: option({
    flag: 'stream-recovery-jobs',
    takes: 'N',
    describe: 'Maximum number of recoveries that one app may run at a time.',
    fallback: 2,
    read: wholeNumber(1, 100),
  }),
  activityConnectionsPerApp: option({
    flag: 'activity-connections-per-app',
    takes: 'N',
    describe: 'Maximum number of open connections of one app to the activity stream.',
    fallback: 2,
    read: wholeNumber(1, 10_000),
  }),
  activitySubscriptionsPerApp: option({
    flag: 'activity-subscriptions-per-app',
    takes: 'N',
    describe: 'Maximum number of activity subscriptions of one app.',
    fallback: 1_500,
    read: wholeNumber(1, 150_000),
  }),
  accountActivityUsersPerApp: option({
    flag: 'account-activity-users-per-app',
    takes: 'N',
    describe: 'Maximum number of users whose account activity one app may receive.',
    fallback: 5_000,
    read: wholeNumber(1, 100_000),
  }),
} as const
