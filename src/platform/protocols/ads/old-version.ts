import type { Step } from '../../http/contract.ts'

export const OLD_VERSION_STEP = 'old version'

/**
 * Declares in each reply of an endpoint of an older version which version replaces it (reference,
 * 00 section 8).
 */
export const oldVersion = (version: string, current: string): Step => ({
  name: OLD_VERSION_STEP,
  compile(_, { naming: { vocabulary } }) {
    const header = vocabulary.header('x-api-warn')
    return ({ reply }) => {
      reply.header(header, `Version ${version} is deprecated. Use version ${current}.`)
    }
  },
})
