import { Type } from 'typebox'
import { json } from '../../../platform/http/reply-kinds.ts'
import { ADMIN, endpoint } from '../endpoint.ts'
import { EXAMPLE, presentSettings, SettingObject } from './setting.ts'

/** GET /admin/v1/settings: the settings that can be changed while Plaza runs. */
export const listSettings = endpoint({
  ...ADMIN,
  id: 'listSettings',
  method: 'GET',
  path: '/admin/v1/settings',
  summary: 'List the settings that can be changed',
  description: 'Lists the settings that can be changed while Plaza runs, with their values.',
  reply: Type.Object({ data: Type.Array(SettingObject) }, { additionalProperties: false }),
  example: { reply: { data: [EXAMPLE] } },
  handle: async (_call, { settings }) => json({ data: presentSettings(settings) }),
})
