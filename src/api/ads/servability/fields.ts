import { Type } from 'typebox'
import { choice, component } from '../../../platform/http/schema.ts'
import { REASONS, STATUSES } from './words.ts'

/** The servability members of campaigns and line items. */
export const servabilityFields = {
  servable: {
    schema: Type.Boolean({ description: 'Whether it can be shown now.' }),
    derived: true,
  },
  reasons_not_servable: {
    schema: Type.Array(component('NotServableReason', Type.Enum([...REASONS])), {
      description: 'Reasons why it cannot be shown now.',
    }),
    derived: true,
  },
  effective_status: {
    schema: choice(
      [...STATUSES],
      '`RUNNING` if it is servable, `PAUSED` if only its status prevents it from running, otherwise `UNKNOWN`.',
      'EffectiveStatus',
    ),
    derived: true,
  },
} as const
