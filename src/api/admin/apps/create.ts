import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import {
  APP_MEMBERS,
  addNewApp,
  NEW_APP_MEMBERS,
  presentApp,
  presentKeys,
  theApp,
} from '../../../workbench/create/apps.ts'
import { ADMIN, dataEndpoint } from '../endpoint.ts'
import { optional } from '../optional.ts'
import { userName } from '../users/user.ts'
import { CreatedApp, EXAMPLE, EXAMPLE_KEYS } from './app.ts'

const { name, website, ...others } = APP_MEMBERS

/** POST /admin/v1/apps: registers an app. */
export const createAdminApp = dataEndpoint({
  ...ADMIN,
  id: 'createApp',
  method: 'POST',
  path: '/admin/v1/apps',
  summary: 'Register an app',
  description:
    'Registers an app of a developer, and creates OAuth 1.0a tokens for the users in `grants`. Its keys, secrets and tokens are returned once.',
  body: Type.Object(
    {
      name,
      website,
      owner: userName('Id or screen name of the developer.'),
      ...optional({ ...others, ...NEW_APP_MEMBERS }),
    },
    { additionalProperties: false },
  ),
  status: 201,
  reply: Type.Object({ data: CreatedApp }, { additionalProperties: false }),
  example: {
    body: {
      name: 'Tool',
      website: 'https://tool.example/',
      owner: 'ann',
      callbacks: ['https://tool.example/callback'],
      grants: ['ann'],
    },
    reply: {
      data: {
        ...EXAMPLE,
        ...EXAMPLE_KEYS,
        tokens: [
          {
            user_id: '1900000000000000007',
            screen_name: 'ann',
            access_token: '1900000000000000007-YJmMgxdBRKiHkn6jXzsaWrUbdCXuUTNybAU5nYSS',
            access_token_secret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE0000',
          },
        ],
      },
    },
  },
  async handle({ body }, { store, ...parts }) {
    const { app, keys, tokens } = await store.write(async (tx) => {
      const made = await addNewApp(tx, body, parts)
      return { ...made, app: await presentApp(tx, await theApp(tx, made.keys.id)) }
    })
    const granted = tokens.map(({ user, token, secret }) => ({
      user_id: user.id,
      screen_name: user.screen_name,
      access_token: token,
      access_token_secret: secret,
    }))
    return json({ data: { ...app, ...presentKeys(keys), tokens: granted } })
  },
})
