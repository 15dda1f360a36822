import { Type } from 'typebox'
import { component } from '../../../../platform/http/schema.ts'

const MAX_RESULTS = 100
export const DEFAULT_RESULTS = 10

/** The parameters that both lists of a writer share. */
export const listParameters = {
  test_mode: Type.Boolean({ description: 'Whether to list test notes.' }),
  max_results: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_RESULTS,
      default: DEFAULT_RESULTS,
      description: 'Number of objects in a page.',
    }),
  ),
  pagination_token: Type.Optional(Type.String({ description: '`next_token` of the previous page.' })),
}

/** The `meta` of a page. */
export const NoteListMeta = component(
  'NoteListMeta',
  Type.Object(
    {
      result_count: Type.Integer({ minimum: 0, description: 'Objects of the page.' }),
      next_token: Type.Optional(
        Type.String({ description: 'Token for the next page; absent on the last page.' }),
      ),
    },
    { additionalProperties: false },
  ),
)
