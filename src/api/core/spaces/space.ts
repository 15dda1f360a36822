import { Type } from 'typebox'
import { SPACE_ID } from '../../../domain/spaces/state.ts'
import { component } from '../../../platform/http/schema.ts'

/** The options that endpoints of spaces share. */
export const spaceRead = {
  source: 'Overview',
  auth: ['app', 'user'],
  scopes: ['space.read', 'post.read', 'users.read'],
  limits: { app: '300/15m', user: '300/15m' },
} as const

export const spaceId = Type.String({ pattern: SPACE_ID, description: 'A space.' })

/** The `meta` of a list without pages. */
export const ListMeta = component(
  'ListMeta',
  Type.Object(
    { result_count: Type.Integer({ minimum: 0, description: 'Objects of the list.' }) },
    { additionalProperties: false },
  ),
)

export const listMeta = (shown: readonly unknown[]) => ({ result_count: shown.length })

export const SPACE = { id: '0bk1j6tq7a4g', state: 'live' }
