import { option, text, toggle } from './option.ts'
import { addressRanges, wholeNumber } from './readers.ts'

/** Webhooks, and calls to addresses that users chose. */
export const webhookOptions = {
  hardened: toggle('hardened', 'Reject webhooks with loopback addresses, plain HTTP or a port.'),
  outboundAllow: option({
    flag: 'outbound-allow',
    takes: 'CIDR,…',
    describe: 'Internal address ranges that webhooks may point to. Replaces the loopback default.',
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
    describe: 'Interval at which webhooks are examined for due checks.',
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
    describe: 'Age of the last successful check after which a webhook is invalid.',
    fallback: 100_800,
    read: wholeNumber(1, 8_640_000),
  }),
  webhooksPerApp: option({
    flag: 'webhooks-per-app',
    takes: 'N',
    describe: 'Maximum number of webhooks of one app.',
    fallback: 5,
    read: wholeNumber(1, 10_000),
  }),
} as const
