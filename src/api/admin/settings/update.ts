import { Type } from 'typebox'
import { ConfigError, options, RUNTIME_SETTINGS } from '../../../platform/config/config.ts'
import { json } from '../../../platform/http/reply-kinds.ts'
import { raw } from '../../../platform/http/schema.ts'
import { WrongValue } from '../../../workbench/create/wrong.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE, presentSettings, SettingObject } from './setting.ts'

const Body = Type.Object(
  Object.fromEntries(
    RUNTIME_SETTINGS.map((name) => [
      options[name].flag,
      Type.Optional(Type.Unsafe<unknown>({ description: options[name].describe })),
    ]),
  ),
  { additionalProperties: false },
)

/** PUT /admin/v1/settings: changes settings while Plaza runs. */
export const updateSettings = endpoint({
  ...ADMIN,
  id: 'updateSettings',
  method: 'PUT',
  path: '/admin/v1/settings',
  summary: 'Change settings',
  description:
    'Changes settings on all nodes that run, at once, until they are started again. Values are those of the flags; `rate-limits` may also be an object of limits by endpoint and pool. A wrong value is rejected as at a start, and nothing is changed.',
  body: raw(Body),
  reply: Type.Object({ data: Type.Array(SettingObject) }, { additionalProperties: false }),
  example: {
    body: { 'rate-limits': 'off' },
    reply: { data: [{ ...EXAMPLE, value: 'off', changed: true }] },
  },
  async handle({ body }, { settings }) {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new WrongValue('$', body, 'The body must be an object of settings by their names.')
    try {
      settings.change(body as Record<string, unknown>)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const [, name = '$'] = /^"([^"]+)"/.exec(error.message) ?? []
      throw new WrongValue(name, (body as Record<string, unknown>)[name], `${error.message}.`)
    }
    return json({ data: presentSettings(settings) })
  },
})
