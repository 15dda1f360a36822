import { Type } from 'typebox'
import { pairsAround, readRelations } from '../../../identity/relations/queries.ts'
import { ClassicAccount, classicAccount } from '../../../identity/users/classic-account.ts'
import { profilesByIds, profilesByNames } from '../../../identity/users/queries.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { id } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { endpoint } from '../account/endpoint.ts'
import { username } from './subject.ts'

/**
 * GET /1.1/users/show.json: a user in classic form. Scripts of the advertising API look up users
 * with it.
 */
export const showUser = endpoint({
  id: 'showUser',
  host: 'core',
  method: 'GET',
  path: '/1.1/users/show.json',
  summary: 'Get a user in classic form',
  description:
    'Returns a user by `user_id`, otherwise by `screen_name`, in the form of `GET /1.1/account/verify_credentials.json`. Names are not case-sensitive.',
  source: 'OAuth credentials',
  auth: ['app', 'user'],
  limits: { app: '900/15m', user: '900/15m' },
  query: {
    user_id: Type.Optional(id('The user.')),
    screen_name: Type.Optional(username('Name of the user.')),
    include_entities: Type.Optional(Type.Boolean({ description: '`false` omits `entities`.' })),
  },
  reply: ClassicAccount,
  errors: ['other user suspended', 'user unknown'],
  async handle({ principal, query: { user_id, screen_name, include_entities } }, { store, mediaOrigin }) {
    if (user_id === undefined && screen_name === undefined)
      throw invalid({ place: 'query', name: 'screen_name', value: undefined, fault: { kind: 'missing' } })
    const [profile] =
      user_id === undefined
        ? await store.all(profilesByNames, { keys: JSON.stringify([screen_name?.toLowerCase()]) })
        : await store.all(profilesByIds, { ids: JSON.stringify([user_id]) })
    if (!profile) throw apiError('user unknown')
    if (profile.suspended === 1) throw apiError('other user suspended')
    const viewer = principal.kind === 'user' ? principal.userId : profile.id
    const { has } = await readRelations(store, pairsAround(viewer, viewer === profile.id ? [] : [profile.id]))
    return json({
      ...classicAccount(profile, { entities: include_entities !== false, email: false }, { mediaOrigin }),
      following: has('follow', viewer, profile.id),
      follow_request_sent: has('request', viewer, profile.id),
    })
  },
})
