import { timingSafeEqual } from 'node:crypto'
import { SIGNATURE_HEADER, signature } from '../../../delivery/webhooks/signature.ts'
import type { App } from '../../../identity/apps/app.ts'
import type { RandomSource } from '../../../platform/common/random.ts'
import { type Message, messageText, msg } from '../../../platform/http/message.ts'
import type { Vocabulary } from '../../../platform/http/vocabulary.ts'
import type { Outbound, Outcome } from '../../../platform/outbound/outbound.ts'

/** The outcome of a check. */
export type CrcResult =
  | { kind: 'passed' }
  | CrcFailure
  /**
   * The URL may not be called, or another check is running, so the check says nothing about the
   * webhook.
   */
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
 * Challenges a webhook with `GET url?crc_token=…&nonce=…`. It must respond with `{"response_token":
 * "sha256=" + base64(HMAC-SHA256(consumer secret, crc_token))}` (interface, Events).
 */
export async function challenge(
  url: string,
  { id: owner, consumerSecret }: Pick<App, 'id' | 'consumerSecret'>,
  { outbound, random, vocabulary }: { outbound: Outbound; random: RandomSource; vocabulary: Vocabulary },
): Promise<CrcResult> {
  const token = random.bytes(TOKEN_BYTES).toString('base64url')
  const nonce = random.bytes(NONCE_BYTES).toString('base64url')
  const message = `${vocabulary.name('crc_token')}=${token}&${vocabulary.name('nonce')}=${nonce}`
  const exchange = await outbound.send({
    owner,
    method: 'GET',
    url: `${url}${url.includes('?') ? '&' : '?'}${message}`,
    headers: {
      accept: 'application/json',
      [vocabulary.header(SIGNATURE_HEADER)]: signature(consumerSecret, message),
    },
    fresh: true,
  })
  const member = vocabulary.name('response_token')
  const result = crcResultOf(exchange.outcome, signature(consumerSecret, token), member)
  if (result.kind !== 'failed') return result
  const explanation = exchange.internal && !isNamed(exchange.outcome) ? noAnswer : result.explanation
  return { ...result, explanation, sent: exchange.sent, detail: messageText(result.explanation, vocabulary) }
}

/** Whether a failure is named at an internal address too: an HTTP response, or none in time. */
const isNamed = ({ kind }: Outcome) => kind === 'answered' || kind === 'too-large' || kind === 'timeout'

/**
 * Without an HTTP response, all problems at internal addresses have the same text: it must not
 * reveal which ports are closed, reserved, or belong to a service of another protocol.
 */
const noAnswer = msg`the webhook could not be reached over HTTP; see the server's log for the reason`

/** A wrong response invalidates a webhook at once. A missing response may be temporary. */
function crcResultOf(outcome: Outcome, expected: string, member: string) {
  const failed = (permanent: boolean, explanation: Message) =>
    ({ kind: 'failed', permanent, explanation }) as const
  const permanent = (explanation: Message) => failed(true, explanation)
  const temporary = (explanation: Message) => failed(false, explanation)
  const notAttempted = (explanation: Message) => ({ kind: 'not attempted', explanation }) as const
  const judgeAnswer = (answer: unknown) => {
    if (answer === undefined) return permanent(msg`the response of the webhook is not JSON`)
    const signature = (answer as Record<string, unknown> | null)?.[member]
    if (signature === undefined) return permanent(msg`the response of the webhook does not have a ${member}`)
    return isEqual(signature, expected)
      ? ({ kind: 'passed' } as const)
      : permanent(msg`the response of the webhook does not have the correct ${member}`)
  }
  switch (outcome.kind) {
    case 'answered':
      if (outcome.status >= 300 && outcome.status < 400)
        return permanent(msg`the webhook responded with a redirect`)
      if (outcome.status < 200 || outcome.status >= 400)
        return temporary(msg`the webhook responded with status ${outcome.status}`)
      if (outcome.status !== 200) return permanent(msg`the webhook responded with status ${outcome.status}`)
      return judgeAnswer(jsonOf(outcome.body))
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

/** The value of a JSON text; undefined if it is none. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function isEqual(received: unknown, expected: string): boolean {
  if (typeof received !== 'string') return false
  const a = Buffer.from(received)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
