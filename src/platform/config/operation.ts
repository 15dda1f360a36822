import { option, toggle } from './option.ts'
import { oneOf, urlOf, wholeNumber } from './readers.ts'

/** The log, the event log and the end of the process. */
export const operationOptions = {
  logLevel: option({
    flag: 'log-level',
    takes: 'LEVEL',
    describe: 'Log level: silent, error, warn, info or debug. The log goes to standard error.',
    fallback: 'info',
    read: oneOf('silent', 'error', 'warn', 'info', 'debug'),
  }),
  logFormat: option({
    flag: 'log-format',
    takes: 'FORMAT',
    describe: 'Format of the log: json, one object per line, or text.',
    fallback: undefined as 'json' | 'text' | undefined,
    fallbackText: 'text on a terminal, otherwise json',
    read: oneOf('json', 'text'),
  }),
  adminApi: toggle(
    'admin-api',
    'Serve the admin API on the console with --hardened, too. It then needs the token that `plaza admin-token` prints.',
  ),
  journal: option({
    flag: 'journal',
    takes: 'SWITCH',
    describe: 'Keep the last requests, outgoing calls and streams in memory, for the admin API: on or off.',
    fallback: undefined as 'on' | 'off' | undefined,
    fallbackText: 'on; off with --hardened',
    read: oneOf('on', 'off'),
  }),
  journalEntries: option({
    flag: 'journal-entries',
    takes: 'N',
    describe: 'How many entries the journal keeps.',
    fallback: 1_000,
    read: wholeNumber(1, 100_000),
  }),
  journalMegabytes: option({
    flag: 'journal-megabytes',
    takes: 'N',
    describe: 'How much memory the entries of the journal may take, in megabytes.',
    fallback: 32,
    read: wholeNumber(1, 1_024),
  }),
  traces: option({
    flag: 'traces',
    takes: 'URL',
    describe:
      'Send a trace of each request to this OpenTelemetry collector, by OTLP over HTTP: http://127.0.0.1:4318/v1/traces. Needs the packages of OpenTelemetry.',
    fallback: undefined as string | undefined,
    read: urlOf('https:', 'http:'),
  }),
  eventRetentionHours: option({
    flag: 'event-retention-hours',
    takes: 'H',
    describe: 'How long the event log keeps events.',
    fallback: 168,
    read: wholeNumber(1, 8_760),
  }),
  drainSeconds: option({
    flag: 'drain-seconds',
    takes: 'S',
    describe:
      'How long the node still answers after SIGTERM, while `GET /ready` is 503 and replies close their connections, so that a load balancer sends requests elsewhere. A second signal, or Ctrl-C, ends this time.',
    fallback: undefined as number | undefined,
    fallbackText: '5 with --behind-proxy or --health-listen, otherwise 0',
    read: wholeNumber(0, 600),
  }),
  shutdownSeconds: option({
    flag: 'shutdown-seconds',
    takes: 'S',
    describe: 'How long a shutdown waits for requests in progress to finish.',
    fallback: 10,
    read: wholeNumber(0, 600),
  }),
} as const

/** The admin API can change everything: with `--hardened` it is absent unless it is asked for. */
export const servesAdminApi = ({
  hardened,
  adminApi,
}: {
  readonly hardened: boolean
  readonly adminApi: boolean
}) => adminApi || !hardened

const DEFAULT_DRAIN_SECONDS = 5

/** Without a load balancer, nobody would notice that the node is not ready. */
export const drainSecondsOf = (config: {
  readonly drainSeconds: number | undefined
  readonly behindProxy: boolean
  readonly healthListen: unknown
}): number => {
  const hasBalancer = config.behindProxy || config.healthListen !== undefined
  return config.drainSeconds ?? (hasBalancer ? DEFAULT_DRAIN_SECONDS : 0)
}
