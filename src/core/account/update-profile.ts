import { isBlank } from '../../common/visible.ts'
import { Type } from 'typebox'
import { invalid } from '../../http/errors.ts'
import { msg } from '../../http/message.ts'
import { json } from '../../http/reply-kinds.ts'
import { clearable, webAddress } from '../../http/schema.ts'
import { apiError } from '../../protocols/catalogue.ts'
import { classicAccount, ClassicAccount } from '../../users/classic-account.ts'
import { updateProfile } from '../../users/profile.ts'
import { actionEndpoint } from '../actions.ts'

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
/** Text without control characters. */
const line = (min: number, max: number, description: string) =>
  Type.Optional(Type.String({ pattern: `^[^\\p{Cc}]{${min},${max}}$`, description }))

const MAX_URL_LENGTH = 100

/** POST /1.1/account/update_profile.json: what a user changes of their own profile. */
export const updateOwnProfile = actionEndpoint({
  id: 'updateProfile',
  host: 'core',
  method: 'POST',
  path: '/1.1/account/update_profile.json',
  summary: 'Change the own profile',
  description:
    'Changes the parameters that are sent and keeps the others; `url`, `location` and `description` are removed when they are sent empty. Returns the user in classic form.',
  source: 'Events',
  auth: ['user'],
  scopes: ['write'],
  limits: { user: '15/15m' },
  form: {
    name: line(1, 50, 'Name that the profile shows: 1 to 50 characters.'),
    url: Type.Optional(clearable(webAddress('URL that the profile shows: up to 100 characters.'))),
    location: line(0, 30, 'Where the user says to be: up to 30 characters.'),
    description: Type.Optional(
      Type.String({
        pattern: '^(?:[^\\p{Cc}]|[\\r\\n]){0,160}$',
        description: 'What the user says about themselves: up to 160 characters.',
      }),
    ),
    include_entities: flag('`false` omits `entities`.'),
    skip_status: flag('Accepted and ignored: responses never include the latest post.'),
  },
  reply: ClassicAccount,
  async handle({ principal, form }, { store }) {
    const { name, url, location, description } = form
    if (name !== undefined && isBlank(name)) throw wrong('name', name)
    if (url && url.length > MAX_URL_LENGTH) throw wrong('url', url)
    const changes = { name, url, location: visible(location), description: visible(description) }
    const profile = await store.write((tx) => updateProfile(tx, principal.userId, changes))
    if (!profile) throw apiError('invalid token', 'the user is gone')
    return json(classicAccount(profile, { entities: form.include_entities !== false, email: false }))
  },
})

/** A text that shows nothing is sent empty. */
const visible = (text: string | undefined) => (text !== undefined && isBlank(text) ? '' : text)

const wrong = (name: string, value: string) =>
  invalid({
    place: 'form',
    name,
    value,
    fault: { kind: 'rule', explanation: msg`The profile has no such value.` },
  })
