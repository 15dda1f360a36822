import { Type } from 'typebox'
import { text } from '../../../platform/http/schema.ts'
import { reasonsNotTargetable, targetable } from './targetability.ts'

export const fields = {
  name: { schema: text(1, 255, 'Type. The same for every list.'), derived: true },
  description: { schema: text(1, 255, 'Human-readable name.'), null: true, create: 'optional' },
  targetable: { schema: targetable, derived: true },
  reasons_not_targetable: { schema: reasonsNotTargetable, derived: true },
  list_size: {
    schema: Type.Integer({
      description: 'Number of current members; null if there are too few to report.',
    }),
    null: true,
    derived: true,
  },
} as const
