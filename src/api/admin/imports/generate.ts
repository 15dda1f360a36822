import { Type } from 'typebox'
import { closedObject } from '../../../platform/http/schema.ts'
import { GENERATE_NUMBERS, generateOptions, generatePosts } from '../../../workbench/imports/post-imports.ts'
import { endpoint } from '../endpoint.ts'
import { EXAMPLE, IMPORT, importing, LINES } from './parts.ts'

/** A running Plaza makes fewer authors at once than a command that has the data to itself. */
const MAX_AUTHORS = 20_000

const number = ({ least, most, about }: { least: number; most: number; about: string }) =>
  Type.Optional(Type.Integer({ minimum: least, maximum: most, description: about }))

/** POST /admin/v1/posts/generate: generates posts and authors. */
export const generateAdminPosts = endpoint({
  ...IMPORT,
  id: 'generatePosts',
  method: 'POST',
  path: '/admin/v1/posts/generate',
  summary: 'Generate posts',
  description: `Generates posts and authors in many languages. The same values generate the same posts, once; the newest has the time of the first call. ${LINES}`,
  body: closedObject({
    count: Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'Number of posts.' }),
    seed: number(GENERATE_NUMBERS.seed),
    authors: number({ ...GENERATE_NUMBERS.authors, most: MAX_AUTHORS }),
    days: number(GENERATE_NUMBERS.days),
    bursts: number(GENERATE_NUMBERS.bursts),
    replies: number(GENERATE_NUMBERS.replies),
    polls: number(GENERATE_NUMBERS.polls),
    images: number(GENERATE_NUMBERS.images),
    spaces: number(GENERATE_NUMBERS.spaces),
  }),
  example: { body: { count: 1_000 }, reply: EXAMPLE },
  handle: ({ body }, dependencies) => {
    return importing(
      dependencies,
      async () => generateOptions(body),
      (options, services, run) => generatePosts(options, dependencies.postGenerator, services, run),
      async () => undefined,
    )
  },
})
