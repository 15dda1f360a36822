import { Type } from 'typebox'
import { closedObject } from '../../../platform/http/schema.ts'
import { generateOptions, generatePosts } from '../../../workbench/imports/post-imports.ts'
import { endpoint } from '../endpoint.ts'
import { EXAMPLE, IMPORT, importing, LINES } from './parts.ts'

const number = (maximum: number, description: string) => Type.Integer({ minimum: 1, maximum, description })

/** POST /admin/v1/posts/generate: generates posts and authors. */
export const generateAdminPosts = endpoint({
  ...IMPORT,
  id: 'generatePosts',
  method: 'POST',
  path: '/admin/v1/posts/generate',
  summary: 'Generate posts',
  description: `Generates posts and authors in many languages. The same values generate the same posts, once; the newest has the time of the first call. ${LINES}`,
  body: closedObject({
    count: number(100_000_000, 'Number of posts.'),
    seed: Type.Optional(number(1_000_000_000, 'Seed of the random generator: 1 by default.')),
    authors: Type.Optional(number(20_000, 'Number of authors: by default one per 20 posts, at most 20,000.')),
    days: Type.Optional(number(3_650, 'Number of days that the posts span: 30 by default.')),
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
