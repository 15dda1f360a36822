import type { PlazaEndpoint as Endpoint } from '../../identity/auth/endpoint.ts'
import { acceptedBy, authWords, USER_TOKEN_WORDS } from '../../identity/auth/kinds.ts'
import { requirementsOf, type TokenScope } from '../../identity/tokens/scopes.ts'
import type { Vocabulary } from '../../platform/http/vocabulary.ts'
import { isAdsEndpoint } from '../../platform/protocols/ads/endpoint.ts'

/** What readers of the reference want to know besides parameters and replies, as Markdown. */
export interface EndpointFacts {
  /** Kinds of authentication, each with its scopes, and the right in the account of the path. */
  callers: string
  /** By pool; empty without limits. */
  limits: string
  /** The section of the interface. */
  section: string
}

export function factsOf(endpoint: Endpoint, vocabulary: Vocabulary): EndpointFacts {
  return {
    callers: callersOf(endpoint, vocabulary),
    limits: Object.entries(endpoint.limits)
      .map(([pool, limit]) => `${limit} per ${pool}`)
      .join(', '),
    section: endpoint.source,
  }
}

function callersOf(endpoint: Endpoint, { name }: Vocabulary): string {
  const requirements = requirementsOf(endpoint.scopes)
  const more = requirementsOf(endpoint.moreScopes).scopes
  const scopesText = (scopes: readonly TokenScope[]) => scopes.map((scope) => `\`${name(scope)}\``).join(', ')
  const conditions: Readonly<Record<string, string>> = {
    [authWords.user]: requirements.levels.join(', '),
    [USER_TOKEN_WORDS]: [
      scopesText(requirements.scopes),
      more.length > 0 ? `for some calls also ${scopesText(more)}` : '',
    ]
      .filter(Boolean)
      .join('; '),
  }
  const callers = acceptedBy(endpoint).words.map((word) => {
    const condition = conditions[word]
    return condition ? `${word} (${condition})` : word
  })
  const right = isAdsEndpoint(endpoint) ? endpoint.right : undefined
  return [...callers, ...(right === undefined ? [] : [`right on the account: ${right}`])].join('; ')
}

/** The facts below a description. */
export function factList(endpoint: Endpoint, vocabulary: Vocabulary): string {
  const { callers, limits, section } = factsOf(endpoint, vocabulary)
  return [
    `- **Callers:** ${callers}`,
    `- **Rate limits:** ${limits || 'none'}`,
    `- **Section of the interface:** ${section}`,
  ].join('\n')
}
