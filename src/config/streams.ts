import { option } from './option.ts'
import { oneOf, wholeNumber } from './readers.ts'

/** What the plan of an app allows. */
type RuleAccess = 'self-serve' | 'enterprise'

/** Streams of posts and their rules. */
export const streamOptions = {
  ruleAccess: option({
    flag: 'rule-access',
    takes: 'self-serve|enterprise',
    describe:
      'What rules of streams may hold: `self-serve` allows 1,024 characters; `enterprise` allows 2,048 and every operator.',
    fallback: 'self-serve' as RuleAccess,
    read: oneOf('self-serve', 'enterprise'),
  }),
  streamRulesPerApp: option({
    flag: 'stream-rules-per-app',
    takes: 'N',
    describe: 'Maximum number of rules that one app may have for a stream.',
    fallback: 1_000,
    read: wholeNumber(1, 100_000),
  }),
  streamRulesPerProject: option({
    flag: 'stream-rules-per-project',
    takes: 'N',
    describe: 'Maximum number of rules that the apps of one owner may have for a stream.',
    fallback: 25_000,
    read: wholeNumber(1, 1_000_000),
  }),
} as const
