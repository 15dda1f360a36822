import { timingSafeEqual } from 'node:crypto'
import type { Message } from '../../http/message.ts'
import { messageText, msg } from '../../http/message.ts'
import type { RandomSource } from '../../common/random.ts'
import { SIGNATURE_HEADER, signature } from '../../deliveries/signature.ts'
import type { App } from '../../identity/app.ts'
import type { Vocabulary } from '../../http/vocabulary.ts'
import type { Outbound, Outcome } from '../../outbound/outbound.ts'

/** The outcome of a check. */
export type CrcResult =
  | { kind: 'passed' }
  | CrcFailure
  /** The URL may not be called, or another check is running, so the check says nothing about the webhook. */
  | { kind: 'not attempted'; explanation: Message }

interface CrcFailure {
  kind: 'failed'
  /** Whether the webhook responded incorrectly, rather than not at all. */
  permanent: boolean
  /** Whether a request was sent; false if there was no connection. */
  sent: boolean
  explanation: Message
  /** For the operator's log; equals `explanation` for public addresses. */
  detail: string
}

const TOKEN_BYTES = 32
const NONCE_BYTES = 16

/**
 * Challenges a webhook with `GET url?crc_token=…&nonce=…`. It must respond with `{"response_token": "sha256=" +
 * base64(HMAC-SHA256(consumer secret, crc_token))}` (interface, Events).
 */
export async function challenge(
  url: string,
  { id: owner, consumerSecret }: Pick<App, 'id' | 'consumerSecret'>,
  { outbound, random, vocabulary }: { outbound: Outbound; random: RandomSource; vocabulary: Vocabulary },
): Promise<CrcResult> {
  const token = random.bytes(TOKEN_BYTES).toString('base64url')
  const nonce = random.bytes(NONCE_BYTES).toString('base64url')
  const asked = `${vocabulary.name('crc_token')}=${token}&${vocabulary.name('nonce')}=${nonce}`
  const exchange = await outbound.send({
    owner,
    method: 'GET',
    url: `${url}${url.includes('?') ? '&' : '?'}${asked}`,
    headers: {
      accept: 'application/json',
      [vocabulary.header(SIGNATURE_HEADER)]: signature(consumerSecret, asked),
    },
    fresh: true,
  })
  const member = vocabulary.name('response_token')
  const result = judge(exchange.outcome, signature(consumerSecret, token), member)
  if (result.kind !== 'failed') return result
  const explanation = exchange.internal ? internalFailure(member) : result.explanation
  return { ...result, explanation, sent: exchange.sent, detail: messageText(result.explanation, vocabulary) }
}

/** All problems at internal addresses have the same text, which must not reveal open ports. */
const internalFailure = (member: string) =>
  msg`the webhook must respond in time with status 200 and the correct ${member}; see the server's log for the reason`

/** A wrong response invalidates a webhook at once. A missing response may be temporary. */
function judge(outcome: Outcome, expected: string, member: string) {
  const failed = (permanent: boolean, explanation: Message) =>
    ({ kind: 'failed', permanent, explanation }) as const
  const permanent = (explanation: Message) => failed(true, explanation)
  const temporary = (explanation: Message) => failed(false, explanation)
  const notAttempted = (explanation: Message) => ({ kind: 'not attempted', explanation }) as const
  switch (outcome.kind) {
    case 'answered':
      if (outcome.status >= 300 && outcome.status < 400)
        return permanent(msg`the webhook responded with a redirect`)
      if (outcome.status < 200 || outcome.status >= 400)
        return temporary(msg`the webhook responded with status ${outcome.status}`)
      if (outcome.status !== 200) return permanent(msg`the webhook responded with status ${outcome.status}`)
      return answers(outcome.body, expected, member)
        ? ({ kind: 'passed' } as const)
        : permanent(msg`the response of the webhook does not have the correct ${member}`)
    case 'too-large':
      return permanent(msg`the response is larger than ${outcome.limitBytes} bytes`)
    case 'tls':
      return permanent(msg`TLS failed: ${outcome.detail}`)
    case 'timeout':
      return temporary(msg`the webhook did not respond in time`)
    case 'unreachable':
      return temporary(msg`the webhook could not be reached: ${outcome.detail}`)
    case 'rejected':
      return notAttempted(msg`${outcome.reason}`)
    case 'closed':
      return notAttempted(msg`the server is stopping`)
  }
}

function answers(body: Buffer, expected: string, member: string): boolean {
  let answer: unknown
  try {
    answer = JSON.parse(body.toString('utf8'))
  } catch {
    return false
  }
  const given = (answer as Record<string, unknown> | null)?.[member]
  if (typeof given !== 'string') return false
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
