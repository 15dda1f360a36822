import { Type } from 'typebox'
import { ClassicAccount, classicAccount } from '../../../identity/users/classic-account.ts'
import { updateProfile } from '../../../identity/users/profile.ts'
import { isBlank } from '../../../platform/common/visible.ts'
import { invalid } from '../../../platform/http/errors.ts'
import { msg } from '../../../platform/http/message.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { clearable, webAddress } from '../../../platform/http/schema.ts'
import { apiError } from '../../../platform/protocols/catalogue.ts'
import { actionEndpoint } from '../actions.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
/** Text without control characters. */
const line = (min: number, max: number, description: string) =>
  Type.Optional(Type.String({ pattern: `^[^\\p{Cc}]{${min},${max}}$`, description }))

const MAX_URL_LENGTH = 100

/** POST /1.1/account/update_profile.json: changes the profile of the calling user. */
export const updateOwnProfile = actionEndpoint({
  id: 'updateProfile',
  host: 'core',
  method: 'POST',
  path: '/1.1/account/update_profile.json',
  summary: 'Update the profile of the user',
  description:
    'Changes only the parameters that are sent. An empty `url`, `location` or `description` removes the value. Returns the user in classic form.',
  source: 'Events',
  auth: ['user'],
  scopes: ['write'],
  limits: { user: '15/15m' },
  form: {
    name: line(1, 50, 'Display name: 1 to 50 characters.'),
    url: Type.Optional(clearable(webAddress('URL of the profile: up to 100 characters.'))),
    location: line(0, 30, 'Location that the user gives: up to 30 characters.'),
    description: Type.Optional(
      Type.String({
        pattern: '^(?:[^\\p{Cc}]|[\\r\\n]){0,160}$',
        description: 'Description that the user gives: up to 160 characters.',
      }),
    ),
    include_entities: flag('`false` omits `entities`.'),
    skip_status: flag('Accepted and ignored: responses never include the latest post.'),
  },
  reply: ClassicAccount,
  async handle({ principal, form }, { store, mediaOrigin }) {
    const { name, url, location, description } = form
    if (name !== undefined && isBlank(name)) throw wrong('name', name)
    if (url && url.length > MAX_URL_LENGTH) throw wrong('url', url)
    const changes = { name, url, location: visible(location), description: visible(description) }
    const profile = await store.write((tx) => updateProfile(tx, principal.userId, changes))
    if (!profile) throw apiError('invalid token', 'the user is gone')
    const show = { entities: form.include_entities !== false, email: false }
    return json(classicAccount(profile, show, { mediaOrigin }))
  },
})

/** A text that shows nothing counts as empty. */
const visible = (text: string | undefined) => (text !== undefined && isBlank(text) ? '' : text)

const wrong = (name: string, value: string) =>
  invalid({
    place: 'form',
    name,
    value,
    fault: { kind: 'rule', explanation: msg`The profile does not allow this value.` },
  })
