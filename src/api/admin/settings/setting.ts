import { Type } from 'typebox'
import { options, RUNTIME_SETTINGS } from '../../../platform/config/config.ts'
import { component } from '../../../platform/http/schema.ts'
import type { RuntimeSettings } from '../../../workbench/settings/runtime-settings.ts'

/** A setting that can be changed while Plaza runs. */
export const SettingObject = component(
  'Setting',
  Type.Object(
    {
      name: Type.String({ description: 'Its flag.' }),
      value: Type.String({ description: 'Its value as a flag has it; as JSON for an object.' }),
      changed: Type.Boolean({ description: 'Whether it differs from that of the start.' }),
      description: Type.String(),
    },
    { additionalProperties: false },
  ),
)

const descriptions = new Map(
  RUNTIME_SETTINGS.map((name) => [options[name].flag as string, options[name].describe]),
)

export const presentSettings = (settings: RuntimeSettings) =>
  Object.entries(settings.read()).map(([name, { value, isChanged }]) => ({
    name,
    value: typeof value === 'object' ? JSON.stringify(value) : String(value),
    changed: isChanged,
    description: descriptions.get(name) ?? '',
  }))

export const EXAMPLE = {
  name: 'rate-limits',
  value: 'documented',
  changed: false,
  description: 'Rate limits: the documented ones, none, or those in a file, by endpoint and pool.',
}
