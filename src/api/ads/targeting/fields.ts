import { Type } from 'typebox'
import { locationTypes } from '../../../domain/reference-data/locations.ts'
import { base36, choice, text } from '../../../platform/http/schema.ts'
import { OPERATORS, TARGETING_TYPES } from './names.ts'

export const MAX_VALUE_LENGTH = 255

export const fields = {
  line_item_id: { schema: base36('The line item that it targets.'), create: 'required' },
  name: { schema: text(1, 500, 'Human-readable name of the target.') },
  operator_type: {
    schema: choice(
      [...OPERATORS],
      'Operator; `EQ` by default. Each type accepts some of them.',
      'TargetingOperator',
    ),
    create: 'optional',
  },
  targeting_type: {
    schema: choice(TARGETING_TYPES, 'Type of targeting.', 'TargetingType'),
    input: text(1, 100, `One of ${TARGETING_TYPES.join(', ')}.`),
    create: 'required',
  },
  targeting_value: {
    schema: text(1, MAX_VALUE_LENGTH, 'Value: the id of a targeting option or of a user, or a keyword.'),
    create: 'required',
  },
  location_type: {
    schema: choice([...locationTypes], 'Type of location, for a LOCATION.', 'LocationType'),
    null: true,
    sparse: true,
  },
  localized_name: {
    schema: Type.String({ description: 'The name in `lang`.' }),
    sparse: true,
    derived: true,
  },
} as const
