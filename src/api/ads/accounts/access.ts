import { choices, closedComponent, long } from '../../../platform/http/schema.ts'
import { adsEndpoint } from '../endpoint.ts'
import { ROLES } from '../scope.ts'

const Access = closedComponent('AuthenticatedUserAccess', {
  user_id: long('The user of the access token.'),
  permissions: choices([...ROLES], 'Permissions of the user in the account.', 'AccountRole'),
})

export const getAuthenticatedUserAccess = adsEndpoint({
  id: 'getAuthenticatedUserAccess',
  method: 'GET',
  path: '/accounts/{account_id}/authenticated_user_access',
  summary: 'Get the permissions of the user in an account',
  description: 'Returns the roles of the user of the access token.',
  source: 'Campaign management (reference: access)',
  right: 'read',
  data: Access,
  async handle({ scope, principal }) {
    return { data: { user_id: principal.userId, permissions: [...scope.roles] } }
  },
})
