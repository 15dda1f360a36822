import {
  type AuthenticationServices,
  type SignedHosts,
  signedAddress,
} from '../../identity/auth/authenticate.ts'
import { baseUri } from '../../identity/auth/signature/base-string.ts'
import { parseAuthorization, parseOAuthHeader } from '../../identity/auth/signature/header.ts'
import { readProtocol } from '../../identity/auth/signature/protocol.ts'
import type { Pair } from '../../platform/http/input/form.ts'
import { parsePairs } from '../../platform/http/input/form.ts'
import { analyseSignature, firstDifference, type SignatureAnalysis } from './analysis.ts'

/** A request with a signature of OAuth 1.0a, as it arrived. */
export interface SignedCall {
  readonly method: string
  readonly scheme: 'http' | 'https'
  /** The Host header. */
  readonly host: string
  /** The path with its query. */
  readonly target: string
  readonly authorization: string | undefined
  /** The text of a form body; undefined for any other body. */
  readonly form: string | undefined
  /** The base string that the client signed, if it is known. */
  readonly baseString?: string | undefined
}

/** What is needed to check the signatures of a listener's requests. */
export type SignatureServices = SignedHosts &
  Pick<AuthenticationServices, 'credentials' | 'pendingTokens'> & {
    /** Origins under which clients may know this server. */
    readonly origins: readonly string[]
  }

/** The result of a check: why there is no analysis, or the analysis. */
export type SignatureCheck =
  | { readonly problem: string; readonly analysis?: undefined }
  | { readonly problem?: undefined; readonly analysis: SignatureAnalysis }

/** Checks the signature of a request, except its time and nonce. */
export async function checkSignature(call: SignedCall, services: SignatureServices): Promise<SignatureCheck> {
  const { method, scheme, host, target, authorization, form, baseString } = call
  const header = headerOf(authorization)
  if (header === undefined) return { problem: 'The Authorization header is not a valid OAuth header.' }
  const question = target.indexOf('?')
  const query = question === -1 ? '' : target.slice(question + 1)
  const queryPairs = parsePairs(query)
  const formPairs = parsePairs(form ?? '')
  if (!queryPairs || !formPairs)
    return { problem: `The ${queryPairs ? 'form' : 'query'} is not percent-encoded correctly.` }
  const protocol = readProtocol({ header: header.pairs, query: queryPairs, form: formPairs })
  if ('fault' in protocol)
    return { problem: faultSentence(protocol.fault, [...header.pairs, ...queryPairs, ...formPairs]) }
  const address = signedAddress(scheme, host, services)
  if (!address) return { problem: `This server does not answer for the host "${host}".` }
  const secrets = await secretsOf(protocol, services)
  if ('problem' in secrets) return secrets
  const direct = baseUri(address.scheme, address.host, target)
  const { publicOrigin } = address
  const outside = publicOrigin === undefined ? undefined : publicUri(publicOrigin, target)
  const analysis = await analyseSignature(
    {
      method,
      uri: outside ?? direct,
      otherUris: outside === undefined || outside === direct ? [] : [direct],
      query,
      headerPairs: header.pairs,
      queryPairs,
      formPairs,
      realm: header.realm,
      consumerKey: protocol.consumerKey,
      token: protocol.token,
      ...secrets,
      origins: services.origins,
    },
    protocol.signature,
  )
  return { analysis: baseString === undefined ? analysis : compared(analysis, baseString) }
}

/** Puts the base string of the client beside the expected one. */
const compared = (analysis: SignatureAnalysis, clientBaseString: string): SignatureAnalysis => ({
  ...analysis,
  clientBaseString,
  firstDifference: firstDifference(analysis.expectedBaseString, clientBaseString),
})

function publicUri(origin: string, target: string): string {
  const { protocol, host } = new URL(origin)
  return baseUri(protocol.slice(0, -1), host, target)
}

/** The parameters of the header; none without a header, because the query or form may have them. */
function headerOf(text: string | undefined): { pairs: Pair[]; realm: string | undefined } | undefined {
  if (text === undefined) return { pairs: [], realm: undefined }
  const parsed = parseAuthorization(text)
  if (parsed?.scheme !== 'oauth') return undefined
  const pairs = parseOAuthHeader(parsed.rest)
  const [, realm] = /(?:^|,)\s{0,8}realm\s{0,8}=\s{0,8}"([^"]*)"/i.exec(parsed.rest) ?? []
  return pairs && { pairs, realm }
}

const REQUIRED = [
  'oauth_consumer_key',
  'oauth_nonce',
  'oauth_signature',
  'oauth_signature_method',
  'oauth_timestamp',
]

function faultSentence(fault: string, pairs: readonly Pair[]): string {
  const valueFor = (name: string) => pairs.find(([other]) => other === name)?.[1]
  switch (fault) {
    case 'protocol parameter missing': {
      const missing = REQUIRED.filter((name) => !valueFor(name))
      return `The signature lacks ${missing.join(', ')}.`
    }
    case 'protocol parameter repeated':
      return 'A parameter of the signature is sent twice, for example in the header and in the form.'
    case 'signature method not supported':
      return `The signature method "${valueFor('oauth_signature_method')}" is not supported: use HMAC-SHA1.`
    case 'version not supported':
      return `The OAuth version "${valueFor('oauth_version')}" is not supported: use 1.0.`
    case 'timestamp malformed':
      return `The timestamp "${valueFor('oauth_timestamp')}" is not a number of seconds since 1970.`
    default:
      return `The signature cannot be used: ${fault}.`
  }
}

type Secrets = { consumerSecret: string; tokenSecret: string }

async function secretsOf(
  { consumerKey, token }: { consumerKey: string; token: string | undefined },
  { credentials, pendingTokens }: SignatureServices,
): Promise<Secrets | { problem: string }> {
  await credentials.refresh()
  const app = await credentials.appByKey(consumerKey)
  if (!app) return { problem: `No app has the consumer key "${consumerKey}".` }
  const { consumerSecret } = app
  if (token === undefined) return { consumerSecret, tokenSecret: '' }
  const known = await credentials.accessToken(token)
  if (known && known.appId !== app.id)
    return { problem: `The token "${token}" was granted to another app than that of the consumer key.` }
  const tokenSecret = known?.secret ?? (await pendingTokens.secretOf(token, app.id))
  return tokenSecret === undefined
    ? {
        problem: `The token "${token}" does not exist: it was revoked or has expired, or it is of another Plaza.`,
      }
    : { consumerSecret, tokenSecret }
}
