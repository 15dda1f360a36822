import { option, text, toggle } from './option.ts'
import { addressRanges, oneOf, wholeNumber } from './readers.ts'

/**
 * When failed deliveries are sent again: the documented schedule, or one that lasts over a weekend.
 */
export type RetrySchedule = 'short' | 'long'

/** Webhooks, and requests to URLs that users configure. */
export const webhookOptions = {
  hardened: toggle('hardened', 'Reject webhook URLs with a loopback address, plain HTTP or a port.'),
  outboundAllow: option({
    flag: 'outbound-allow',
    takes: 'CIDR,…',
    describe: 'Internal address ranges that webhook URLs may point to. Replaces the default.',
    fallback: undefined as readonly string[] | undefined,
    fallbackText: '127.0.0.0/8,::1/128; none with --hardened',
    read: addressRanges,
  }),
  outboundCa: text({
    flag: 'outbound-ca',
    takes: 'FILE',
    describe: 'Additional certificate authorities (PEM) to trust for webhooks.',
  }),
  crcTimeoutMs: option({
    flag: 'crc-timeout-ms',
    takes: 'MS',
    describe: 'Timeout of a CRC check.',
    fallback: 10_000,
    read: wholeNumber(50, 60_000),
  }),
  revalidateEverySeconds: option({
    flag: 'revalidate-every-seconds',
    takes: 'S',
    describe: 'Interval at which Plaza looks for webhooks that are due for a check.',
    fallback: 1800,
    read: wholeNumber(1, 86_400),
  }),
  revalidateAfterSeconds: option({
    flag: 'revalidate-after-seconds',
    takes: 'S',
    describe: 'Age of the last successful check after which a webhook is checked again.',
    fallback: 86_400,
    read: wholeNumber(1, 864_000),
  }),
  invalidAfterSeconds: option({
    flag: 'invalid-after-seconds',
    takes: 'S',
    describe: 'Age of the last successful check after which a webhook becomes invalid.',
    fallback: 100_800,
    read: wholeNumber(1, 8_640_000),
  }),
  holdDeliveries: toggle(
    'hold-deliveries',
    'Send nothing to webhooks, not even periodic checks. Deliveries wait until a start without this setting, and end undelivered if they are then older than the retry schedule. For a copy of a database, such as a restored backup.',
  ),
  deliveryTimeoutMs: option({
    flag: 'delivery-timeout-ms',
    takes: 'MS',
    describe: 'Timeout of a delivery to a webhook.',
    fallback: 10_000,
    read: wholeNumber(50, 60_000),
  }),
  deliveryRetries: option({
    flag: 'delivery-retries',
    takes: 'short|long',
    describe:
      'When a failed delivery is sent again: `short` after 3, 27 and 242 seconds; `long` up to 11 times in 76 hours.',
    fallback: 'short' as RetrySchedule,
    read: oneOf('short', 'long'),
  }),
  deliveryConcurrency: option({
    flag: 'delivery-concurrency',
    takes: 'N',
    describe: 'Maximum number of deliveries to one webhook in progress at a time.',
    fallback: 32,
    read: wholeNumber(1, 256),
  }),
  deliveryQueue: option({
    flag: 'delivery-queue',
    takes: 'N',
    describe:
      'Maximum number of pending deliveries of one webhook. Further deliveries are recorded as dropped.',
    fallback: 100_000,
    read: wholeNumber(1, 10_000_000),
  }),
  deliveryRetentionHours: option({
    flag: 'delivery-retention-hours',
    takes: 'H',
    describe:
      'How long finished deliveries are kept, for the delivery log and for replays of the past 24 hours.',
    fallback: 26,
    read: wholeNumber(25, 8_760),
  }),
  webhooksPerApp: option({
    flag: 'webhooks-per-app',
    takes: 'N',
    describe: 'Maximum number of webhooks per app.',
    fallback: 5,
    read: wholeNumber(1, 10_000),
  }),
} as const
