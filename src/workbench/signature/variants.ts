import { normalizeParameters } from '../../identity/auth/signature/base-string.ts'
import { encode } from '../../platform/common/percent.ts'
import type { Pair } from '../../platform/http/input/form.ts'

/** What a client must sign, and with which secrets. */
export interface SignatureParts {
  readonly method: string
  /** `https://api.example.com/2/posts`: as the base string must contain it. */
  readonly uri: string
  /** Others that Plaza accepts, too: behind a proxy, the address with which the request arrived. */
  readonly otherUris: readonly string[]
  /** The query without `?`, as it was sent. */
  readonly query: string
  readonly headerPairs: readonly Pair[]
  readonly queryPairs: readonly Pair[]
  readonly formPairs: readonly Pair[]
  /** The `realm` of the Authorization header, which is not signed. */
  readonly realm: string | undefined
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly token: string | undefined
  /** `''` without a token. */
  readonly tokenSecret: string
  /** Origins under which clients may know this server. */
  readonly origins: readonly string[]
}

/** One way in which a client may deviate. `mistake` is undefined for the right way. */
export interface Variant<Value> {
  readonly mistake: string | undefined
  readonly value: Value
}

/** What `encodeURIComponent` does. */
const UNENCODED =
  "The client left the characters ! * ' ( ) unencoded: the base string needs them as %21 %2A %27 %28 %29."

type Normalize = (parts: SignatureParts) => string

const right = <Value>(value: Value): Variant<Value> => ({ mistake: undefined, value })
const wrong = <Value>(mistake: string, value: Value): Variant<Value> => ({ mistake, value })

export function methodsOf({ method }: SignatureParts): Variant<string>[] {
  const others = ['GET', 'POST', 'PUT', 'DELETE'].filter((other) => other !== method)
  return [
    right(method),
    wrong('The client signed the method in lower case.', method.toLowerCase()),
    ...others.map((other) => wrong(`The client signed the method ${other}, and sent ${method}.`, other)),
  ]
}

export function urisOf({ uri, otherUris, query, origins }: SignatureParts): Variant<string>[] {
  const { protocol, host, hostname, port, pathname } = new URL(uri)
  const rest = uri.slice(uri.indexOf(host) + host.length)
  const otherScheme = protocol === 'https:' ? 'http' : 'https'
  const defaultPort = protocol === 'https:' ? '443' : '80'
  const variants = [
    right(uri),
    ...otherUris.map(right),
    wrong(
      `The client signed the scheme ${otherScheme}, and sent the request with ${protocol.slice(0, -1)}.`,
      `${otherScheme}://${host}${rest}`,
    ),
    ...(port === ''
      ? [
          wrong(
            `The client signed the default port :${defaultPort}, which the base string leaves out.`,
            `${protocol}//${hostname}:${defaultPort}${rest}`,
          ),
        ]
      : [wrong(`The client did not sign the port :${port}.`, `${protocol}//${hostname}${rest}`)]),
    ...origins
      .filter((origin) => !uri.startsWith(`${origin}/`))
      .map((origin) =>
        wrong(
          `The client signed the address ${origin}, and sent the request to ${protocol}//${host}.`,
          origin + rest,
        ),
      ),
    ...(query === ''
      ? []
      : [wrong('The client left the query in the URL of the base string.', `${uri}?${query}`)]),
    rest.endsWith('/')
      ? wrong('The client signed the path without the slash at its end.', uri.slice(0, -1))
      : wrong('The client signed the path with a slash at its end.', `${uri}/`),
    wrong('The client signed the path alone, without scheme and host.', rest),
  ]
  const decoded = decodedPath(pathname)
  if (decoded !== pathname)
    variants.push(
      wrong('The client signed the path without its percent-encoding.', uri.replace(pathname, decoded)),
    )
  return variants
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const allPairs = ({ headerPairs, queryPairs, formPairs }: SignatureParts) => [
  ...headerPairs,
  ...queryPairs,
  ...formPairs,
]

/** Joins pairs with another encoding than the right one. */
const joinedWith =
  (encodeText: (text: string) => string): Normalize =>
  (parts) =>
    allPairs(parts)
      .filter(([name]) => name !== 'oauth_signature')
      .map(([name, value]): Pair => [encodeText(name), encodeText(value)])
      .sort(byNameAndValue)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')

const byNameAndValue = (a: Pair, b: Pair) => compare(a[0], b[0]) || compare(a[1], b[1])
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const without =
  (name: string): Normalize =>
  (parts) =>
    normalizeParameters(allPairs(parts).filter(([other]) => other !== name))

const lowerEscapes = (text: string) =>
  encode(text).replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase())

export function normalizersOf(parts: SignatureParts): Variant<Normalize>[] {
  const { headerPairs, queryPairs, formPairs, realm } = parts
  const variants = [
    right<Normalize>((parts) => normalizeParameters(allPairs(parts))),
    wrong<Normalize>(UNENCODED, joinedWith(encodeURIComponent)),
    wrong<Normalize>(
      'The client encoded spaces as +: the base string needs %20.',
      joinedWith((text) => encode(text).replaceAll('%20', '+')),
    ),
    wrong<Normalize>(
      'The client did not percent-encode the parameters.',
      joinedWith((text) => text),
    ),
    wrong<Normalize>(
      'The client percent-encoded the parameters twice.',
      joinedWith((text) => encode(encode(text))),
    ),
    wrong<Normalize>('The client wrote percent-escapes in lower case.', joinedWith(lowerEscapes)),
    wrong<Normalize>('The client did not sort the parameters.', (parts) =>
      allPairs(parts)
        .filter(([name]) => name !== 'oauth_signature')
        .map(([name, value]) => `${encode(name)}=${encode(value)}`)
        .join('&'),
    ),
    ...['oauth_version', 'oauth_callback', 'oauth_verifier', 'oauth_token']
      .filter((name) => headerPairs.some(([sent]) => sent === name))
      .map((name) => wrong(`The client did not sign the parameter ${name}.`, without(name))),
  ]
  if (queryPairs.length > 0)
    variants.push(
      wrong('The client did not sign the parameters of the query.', ({ headerPairs, formPairs }) =>
        normalizeParameters([...headerPairs, ...formPairs]),
      ),
    )
  if (formPairs.length > 0)
    variants.push(
      wrong('The client did not sign the fields of the form body.', ({ headerPairs, queryPairs }) =>
        normalizeParameters([...headerPairs, ...queryPairs]),
      ),
    )
  if (realm !== undefined)
    variants.push(
      wrong('The client signed the realm, which is no parameter.', (parts) =>
        normalizeParameters([...allPairs(parts), ['realm', realm]]),
      ),
    )
  return variants
}

type Join = (method: string, uri: string, normalized: string) => string

export const joins: readonly Variant<Join>[] = [
  right((method, uri, normalized) => `${method}&${encode(uri)}&${encode(normalized)}`),
  wrong(
    UNENCODED,
    (method, uri, normalized) => `${method}&${encodeURIComponent(uri)}&${encodeURIComponent(normalized)}`,
  ),
  wrong(
    'The client did not percent-encode the joined parameters again.',
    (method, uri, normalized) => `${method}&${encode(uri)}&${normalized}`,
  ),
  wrong(
    'The client did not percent-encode the URL of the base string.',
    (method, uri, normalized) => `${method}&${uri}&${encode(normalized)}`,
  ),
  wrong(
    'The client percent-encoded neither the URL nor the joined parameters.',
    (method, uri, normalized) => `${method}&${uri}&${normalized}`,
  ),
]

export function keysOf({
  consumerKey,
  consumerSecret,
  token,
  tokenSecret,
}: SignatureParts): Variant<string>[] {
  const key = (consumer: string, token: string) => `${encode(consumer)}&${encode(token)}`
  const variants = [
    right(key(consumerSecret, tokenSecret)),
    wrong(
      'The client signed with the consumer key instead of the consumer secret.',
      key(consumerKey, tokenSecret),
    ),
    wrong(
      'The consumer secret of the client has a space or a line break at its end.',
      key(`${consumerSecret}\n`, tokenSecret),
    ),
    wrong(
      'The consumer secret of the client has a space or a line break at its end.',
      key(`${consumerSecret} `, tokenSecret),
    ),
    wrong('The client signed without the consumer secret.', key('', tokenSecret)),
  ]
  if (token === undefined)
    variants.push(wrong('The signing key lacks the & after the consumer secret.', encode(consumerSecret)))
  else
    variants.push(
      wrong('The client signed without the token secret.', key(consumerSecret, '')),
      wrong('The client signed with the token instead of the token secret.', key(consumerSecret, token)),
      wrong('The client swapped the consumer secret and the token secret.', key(tokenSecret, consumerSecret)),
      wrong(
        'The token secret of the client has a space or a line break at its end.',
        key(consumerSecret, `${tokenSecret}\n`),
      ),
      wrong(
        'The token secret of the client has a space or a line break at its end.',
        key(consumerSecret, `${tokenSecret} `),
      ),
      wrong(
        'The signing key lacks the & between the secrets.',
        `${encode(consumerSecret)}${encode(tokenSecret)}`,
      ),
    )
  return variants
}

/** How a digest is written. */
export const writings: readonly Variant<(digest: Buffer) => string>[] = [
  right((digest) => digest.toString('base64')),
  wrong('The signature is in hexadecimal: it must be in base64.', (digest) => digest.toString('hex')),
  wrong('The base64 of the signature lacks the = at its end.', (digest) =>
    digest.toString('base64').replace(/=+$/, ''),
  ),
  wrong('The signature is in base64url: it must be in base64.', (digest) => digest.toString('base64url')),
  wrong('The client did not percent-encode the + of the signature.', (digest) =>
    digest.toString('base64').replaceAll('+', ' '),
  ),
  wrong('The client percent-encoded the signature twice.', (digest) => encode(digest.toString('base64'))),
]
