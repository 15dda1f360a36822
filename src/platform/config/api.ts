import type { LimitRules } from '../http/limits.ts'
import { option, text } from './option.ts'
import { limitRules, oneOf, urlOf, wholeNumber } from './readers.ts'

/** Limits, signatures and errors of every API. */
export const apiOptions = {
  rateLimits: option({
    flag: 'rate-limits',
    takes: 'documented|off|FILE',
    describe: 'Rate limits: the documented ones, none, or those in a file, by endpoint and pool.',
    fallback: 'documented' as LimitRules,
    read: limitRules,
  }),
  timestampWindowSeconds: option({
    flag: 'timestamp-window-seconds',
    takes: 'S',
    describe: 'Maximum difference between the timestamp of a signature and the clock of the server.',
    fallback: 300,
    read: wholeNumber(1, 3600),
  }),
  verifierExchange: option({
    flag: 'verifier-exchange',
    takes: 'strict|lenient',
    describe:
      "Signature required to exchange a verifier for an access token: `strict` requires the request token's secret; `lenient` also accepts the app's secret alone, as some clients sign, or the consumer key without a signature, as old guides show.",
    fallback: 'strict',
    read: oneOf('strict', 'lenient'),
  }),
  registrationUrl: text({
    flag: 'registration-url',
    takes: 'URL',
    describe: 'URL where developers enroll their apps. The Problem `client-forbidden` contains it.',
    read: urlOf('https:', 'http:'),
  }),
  problemBase: text({
    flag: 'problem-base',
    takes: 'URL',
    describe: 'Prefix of Problem type URIs. Defaults to the origin of the core API.',
    read: urlOf('https:', 'http:'),
  }),
} as const
