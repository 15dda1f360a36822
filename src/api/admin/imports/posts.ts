import { Type } from 'typebox'
import { flag, text } from '../../../platform/http/schema.ts'
import { importPostFile } from '../../../workbench/imports/post-imports.ts'
import { endpoint } from '../endpoint.ts'
import { EXAMPLE, IMPORT, importing, LINES, storeBody } from './parts.ts'

/** POST /admin/v1/posts/import: imports a file of past posts. */
export const importPosts = endpoint({
  ...IMPORT,
  id: 'importPosts',
  method: 'POST',
  path: '/admin/v1/posts/import',
  summary: 'Import past posts',
  description: `Imports a file of past posts, which is the body of the request: posts in JSON, one a line or all in an array, as the API returns them, in pages with their includes, or in the classic format. Members have the names of the vocabulary, or the neutral ones. A post must follow those that it refers to. Streams do not send imported posts; searches and timelines have them at once. ${LINES}`,
  contentTypes: ['application/x-ndjson', 'application/json', 'application/octet-stream'],
  query: {
    name: Type.Optional(text(1, 1_000, 'What errors call the file. Default: `the file`.')),
    create_authors: flag('Whether to create users for unknown usernames. No one can sign in as these users.'),
    again: flag(
      'Whether to import the file even if it was imported before. Posts without an id are added again.',
    ),
    author: Type.Optional(
      Type.String({
        pattern: '^@?[A-Za-z0-9_]{1,15}$',
        description: 'Screen name of the author of posts that name no author.',
      }),
    ),
  },
  example: { reply: EXAMPLE },
  handle: ({ query, content }, dependencies) => {
    const { name = 'the file', again = false, create_authors: createAuthors = false, author } = query
    return importing(
      dependencies,
      () => storeBody(content),
      ({ file }, services, run) =>
        importPostFile(file, { name, again, createAuthors, author }, services, run),
      (stored) => stored.remove(),
    )
  },
})
