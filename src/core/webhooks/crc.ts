import { createHmac, timingSafeEqual } from 'node:crypto'
import type { RandomSource } from '../../kit/random.ts'
import type { Vocabulary } from '../../kit/vocabulary.ts'
import type { Outbound, Outcome } from '../../outbound/outbound.ts'

/** What became of a check. `lasting`: the webhook answers wrongly, rather than not at all just now. */
export type CrcResult =
  | { kind: 'passed' }
  | { kind: 'failed'; lasting: boolean; explanation: string }
  /** No request was sent. */
  | { kind: 'not attempted'; explanation: string }

const TOKEN_BYTES = 32
const NONCE_BYTES = 16

/**
 * Challenges a webhook: `GET url?crc_token=…&nonce=…`, to be answered with
 * `{"response_token": "sha256=" + base64(HMAC-SHA256(consumer secret, crc_token))}` (interface, Events).
 */
export async function challenge(
  url: string,
  consumerSecret: string,
  { outbound, random, vocabulary }: { outbound: Outbound; random: RandomSource; vocabulary: Vocabulary },
): Promise<CrcResult> {
  const token = random.bytes(TOKEN_BYTES).toString('base64url')
  const nonce = random.bytes(NONCE_BYTES).toString('base64url')
  const asked = `${vocabulary.name('crc_token')}=${token}&${vocabulary.name('nonce')}=${nonce}`
  const outcome = await outbound.send({
    method: 'GET',
    url: `${url}${url.includes('?') ? '&' : '?'}${asked}`,
    headers: {
      accept: 'application/json',
      [vocabulary.header('x-svc-webhooks-signature')]: signature(consumerSecret, asked),
    },
    fresh: true,
  })
  return judge(outcome, signature(consumerSecret, token), vocabulary.name('response_token'))
}

/** `sha256=` and the base64 HMAC-SHA256 of a text: the form of answers and of delivery signatures. */
export function signature(secret: string, text: string | Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(text).digest('base64')}`
}

/** An answer that is wrong ends a webhook's validity at once; an answer that fails to come may be a bad moment. */
function judge(outcome: Outcome, expected: string, member: string): CrcResult {
  const lasting = (explanation: string): CrcResult => ({ kind: 'failed', lasting: true, explanation })
  const passing = (explanation: string): CrcResult => ({ kind: 'failed', lasting: false, explanation })
  switch (outcome.kind) {
    case 'answered':
      if (outcome.status >= 300 && outcome.status < 400)
        return lasting('the webhook answered with a redirect')
      if (outcome.status < 200 || outcome.status >= 400)
        return passing(`the webhook answered with status ${outcome.status}`)
      if (outcome.status !== 200) return lasting(`the webhook answered with status ${outcome.status}`)
      return answers(outcome.body, expected, member)
        ? { kind: 'passed' }
        : lasting(`the webhook answered without the right ${member}`)
    case 'too-large':
      return lasting(`the answer is larger than ${outcome.limitBytes} bytes`)
    case 'tls':
      return lasting(`TLS failed: ${outcome.detail}`)
    case 'timeout':
      return passing('the webhook did not answer in time')
    case 'unreachable':
      return passing(`the webhook could not be reached: ${outcome.detail}`)
    case 'refused':
      return { kind: 'not attempted', explanation: outcome.reason }
    case 'closed':
      return { kind: 'not attempted', explanation: 'the server is stopping' }
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
