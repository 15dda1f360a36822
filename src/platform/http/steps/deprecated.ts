import type { Step } from '../contract.ts'

/** The headers of replies of deprecated endpoints. */
export const DEPRECATION_HEADERS: readonly string[] = ['deprecation', 'link']

export const DEPRECATED_STEP = 'deprecated'

/** The value of the header `deprecation` (RFC 9745). `since` is in epoch milliseconds. */
export const deprecationSince = (since: number) => `@${Math.floor(since / 1000)}`

/**
 * Declares in each reply that the endpoint is deprecated (RFC 9745), and which one replaces it (RFC
 * 5829). It is one of the endpoint's own steps.
 * @param since when the deprecation took effect, in epoch milliseconds
 */
export const deprecated = ({ since, successor }: { since: number; successor: string }): Step => ({
  name: DEPRECATED_STEP,
  compile(_, { naming: { vocabulary } }) {
    const at = deprecationSince(since)
    const link = `<${vocabulary.path(successor)}>; rel="successor-version"`
    return ({ reply }) => {
      reply.header('deprecation', at)
      reply.header('link', link)
    }
  },
})
