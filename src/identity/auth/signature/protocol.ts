import type { Pair } from '../../../platform/http/input/form.ts'

/** Why the protocol parameters cannot be used. All of these return 400 with code 215. */
export type Fault =
  | 'protocol parameter missing'
  | 'protocol parameter repeated'
  | 'signature method not supported'
  | 'version not supported'
  | 'timestamp malformed'
  | 'nonce not ASCII'
  | 'nonce too long'

/**
 * The protocol parameters of a signed request, complete and well-formed, but not yet authenticated.
 */
export interface Protocol {
  /** Not empty; may be any Unicode text. */
  consumerKey: string
  /**
   * `undefined` when absent or empty, as in the first step of the flow; otherwise any Unicode text.
   */
  token: string | undefined
  /** As sent, decoded; not empty. */
  signature: string
  /** 1 to 512 printable ASCII characters. */
  nonce: string
  /**
   * Seconds since the epoch, 1 to 2^53 - 1. The caller checks whether it is close enough to the
   * current time.
   */
  timestampSeconds: number
  /** `oauth_callback` if sent; may be empty. */
  callback?: string
  /** `oauth_verifier` if sent; may be empty. */
  verifier?: string
  /** Everything that the signature covers: header, query and form, without `oauth_signature`. */
  parameters: Pair[]
}

const MAX_NONCE_LENGTH = 512

/**
 * Parameters that belong to a step of the flow. Clients that sign with the header repeat them in
 * the form but sign them once, so two equal values count as one.
 */
const STEP_PARAMETERS = new Set(['oauth_token', 'oauth_callback', 'oauth_verifier'])

/**
 * Collects the protocol parameters from wherever the client put them (RFC 5849 3.5) and checks
 * their form (RFC 5849 3.1 and 3.2). Duplicates are checked first, because a parameter with two
 * values is ambiguous for all other checks. No `oauth_*` name may occur twice, whether it is known
 * or not.
 *
 * @param sources decoded pairs: header without `realm`, query, and form (empty unless the body is a
 * form)
 */
export function readProtocol(sources: {
  header?: readonly Pair[] | undefined
  query: readonly Pair[]
  form: readonly Pair[]
}): Protocol | { fault: Fault } {
  /** By name, from all sources. */
  const own = new Map<string, string>()
  const parameters: Pair[] = []
  for (const pairs of [sources.header ?? [], sources.query, sources.form])
    for (const pair of pairs) {
      const [name, value] = pair
      if (name.startsWith('oauth_')) {
        const before = own.get(name)
        if (before === value && STEP_PARAMETERS.has(name)) continue
        if (before !== undefined) return { fault: 'protocol parameter repeated' }
        own.set(name, value)
        if (name === 'oauth_signature') continue
      }
      parameters.push(pair)
    }
  return checked(own, parameters)
}

/** Checks the form of the parameters of the protocol. */
function checked(own: ReadonlyMap<string, string>, parameters: Pair[]): Protocol | { fault: Fault } {
  const consumerKey = own.get('oauth_consumer_key')
  const signature = own.get('oauth_signature')
  const signatureMethod = own.get('oauth_signature_method')
  const timestamp = own.get('oauth_timestamp')
  const nonce = own.get('oauth_nonce')
  if (!consumerKey || !signature || !nonce || signatureMethod === undefined || timestamp === undefined)
    return { fault: 'protocol parameter missing' }
  if (signatureMethod !== 'HMAC-SHA1') return { fault: 'signature method not supported' }
  if ((own.get('oauth_version') ?? '1.0') !== '1.0') return { fault: 'version not supported' }
  const timestampSeconds = positiveDecimal(timestamp)
  if (timestampSeconds === undefined) return { fault: 'timestamp malformed' }
  if (nonce.length > MAX_NONCE_LENGTH) return { fault: 'nonce too long' }
  if (!isPrintableAscii(nonce)) return { fault: 'nonce not ASCII' }
  const callback = own.get('oauth_callback')
  const verifier = own.get('oauth_verifier')
  return {
    consumerKey,
    token: own.get('oauth_token') || undefined,
    signature,
    nonce,
    timestampSeconds,
    ...(callback !== undefined && { callback }),
    ...(verifier !== undefined && { verifier }),
    parameters,
  }
}

/** Digits only: rejects the signs, spaces, exponents and fractions that a number parser accepts. */
function positiveDecimal(text: string): number | undefined {
  // 2^53 - 1 has 16 digits.
  if (text.length > 16) return undefined
  let value = 0
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return undefined
    value = value * 10 + digit
  }
  return value > 0 && Number.isSafeInteger(value) ? value : undefined
}

function isPrintableAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

/**
 * Whether a query or form contains a parameter that only signed requests carry: signature,
 * signature method, timestamp or nonce. `oauth_token`, `oauth_verifier`, `oauth_callback` and
 * `oauth_consumer_key` prove nothing: the authorization pages and the unsigned exchange of a
 * verifier carry them too.
 */
export function hasProtocolParameters(pairs: readonly Pair[]): boolean {
  for (const [name] of pairs) {
    if (!name.startsWith('oauth_')) continue
    if (
      name === 'oauth_signature' ||
      name === 'oauth_signature_method' ||
      name === 'oauth_timestamp' ||
      name === 'oauth_nonce'
    )
      return true
  }
  return false
}
