import { Type } from 'typebox'
import { choices, component, long } from '../../http/schema.ts'
import { adsEndpoint, LIMITS } from '../endpoint.ts'
import { ROLES } from '../scope.ts'

const Access = component(
  'AuthenticatedUserAccess',
  Type.Object(
    {
      user_id: long('The user who asks.'),
      permissions: choices([...ROLES], 'What the user may do with the account.', 'AccountRole'),
    },
    { additionalProperties: false },
  ),
)

export const getAuthenticatedUserAccess = adsEndpoint({
  id: 'getAuthenticatedUserAccess',
  method: 'GET',
  path: '/accounts/{account_id}/authenticated_user_access',
  summary: 'Get what the user may do with an account',
  description: 'The roles of the user whose token signs.',
  source: 'Campaign management (reference: access)',
  right: 'read',
  limits: LIMITS.read,
  data: Access,
  async handle({ scope, principal }) {
    return { data: { user_id: principal.userId, permissions: [...scope.roles] } }
  },
})
