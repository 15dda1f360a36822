import { timingSafeEqual } from 'node:crypto'
import type { LongValue } from '../../../platform/http/input/form.ts'
import { baseString, baseUri, normalizeParameters, signingKey } from './base-string.ts'
import { hmacSha1 } from './hmac-sha1.ts'
import { longSignature } from './long-signature.ts'
import type { Protocol } from './protocol.ts'

/** A request as it arrived, with the secrets of its consumer key and token. */
export interface SignedRequest {
  method: string
  /** `http` or `https`, as this process sees it. */
  scheme: string
  /** The Host header, port included. */
  host: string
  /** The request target as received. Its query is ignored here: `protocol` contains the pairs. */
  target: string
  protocol: Pick<Protocol, 'signature' | 'parameters'>
  /** Values of the form that are too long for a string. */
  long?: readonly LongValue[]
  consumerSecret: string
  /** `''` if the request has no token. */
  tokenSecret: string
  /**
   * Where clients reach the service, if that differs from what this process sees:
   * `https://api.example.com`.
   */
  publicOrigin?: string | undefined
}

/** The parameters of a request with more characters than this are encoded in slices. */
const MAX_CHARACTERS_AT_ONCE = 8_192

/**
 * Whether the signature of the request is its HMAC-SHA1 (RFC 5849 3.2), for the public origin or
 * else for the scheme and host with which it arrived. No other spelling of the address is tried.
 * The signature must equal the padded base64 digest exactly, and is compared in constant time.
 */
export function signatureMatches(request: SignedRequest): boolean | Promise<boolean> {
  const { method, scheme, host, target, protocol, long = [], publicOrigin } = request
  // UTF-8, because a narrower encoding would map other characters to base64 letters.
  const received = Buffer.from(protocol.signature)
  const key = signingKey(request.consumerSecret, request.tokenSecret)
  const direct = baseUri(scheme, host, target)
  // Most clients sign the public address, the one that they know. It comes first, so that most
  // requests need one digest.
  const outside = publicOrigin === undefined ? undefined : publicUri(publicOrigin, target)
  const uris = outside === undefined || outside === direct ? [direct] : [outside, direct]
  if (isLong(request)) {
    const parameters = { method, pairs: protocol.parameters, long }
    return isOneOf(received, uris, (uri) => longSignature(key, { ...parameters, uri }))
  }
  const normalized = normalizeParameters(protocol.parameters)
  return uris.some((uri) => isSignature(received, hmacSha1(key, baseString(method, uri, normalized))))
}

function isLong({ protocol, long = [] }: SignedRequest): boolean {
  if (long.length > 0) return true
  let characters = 0
  for (const [name, value] of protocol.parameters) characters += name.length + value.length
  return characters > MAX_CHARACTERS_AT_ONCE
}

async function isOneOf(
  received: Buffer,
  uris: readonly string[],
  signatureOf: (uri: string) => Promise<string>,
): Promise<boolean> {
  for (const uri of uris) if (isSignature(received, await signatureOf(uri))) return true
  return false
}

function isSignature(received: Buffer, expected: string): boolean {
  return received.length === expected.length && timingSafeEqual(received, Buffer.from(expected))
}

function publicUri(origin: string, target: string): string | undefined {
  const colon = origin.indexOf('://')
  if (colon === -1) return undefined
  const slash = origin.indexOf('/', colon + 3)
  return baseUri(
    origin.slice(0, colon),
    origin.slice(colon + 3, slash === -1 ? origin.length : slash),
    target,
  )
}
