import { Type } from 'typebox'
import { ClassicAccount, classicAccount } from '../../../identity/users/classic-account.ts'
import { profilesByIds } from '../../../identity/users/queries.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { endpoint } from './endpoint.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/**
 * GET /1.1/account/verify_credentials.json: the user of an access token. Sign-in libraries call it.
 */
export const verifyCredentials = endpoint({
  id: 'verifyCredentials',
  host: 'core',
  method: 'GET',
  path: '/1.1/account/verify_credentials.json',
  summary: 'Verify an access token',
  description:
    'Returns the user of the access token in classic form: ids as numbers and as text, absent values as null. An invalid or revoked token returns 401.',
  source: 'OAuth credentials',
  auth: ['user'],
  limits: { user: '75/15m' },
  query: {
    include_entities: flag('`false` omits `entities`.'),
    skip_status: flag('Accepted and ignored: responses never include the latest post.'),
    include_email: flag(
      '`true` adds `email`, which is always null: Plaza stores no e-mail addresses of users.',
    ),
  },
  reply: ClassicAccount,
  async handle({ principal, query }, { store, mediaOrigin }) {
    const [profile] = await store.all(profilesByIds, { ids: JSON.stringify([principal.userId]) })
    if (!profile) throw apiError('invalid token', 'the user is gone')
    const show = { entities: query.include_entities !== false, email: query.include_email === true }
    return json(classicAccount(profile, show, { mediaOrigin }))
  },
})
