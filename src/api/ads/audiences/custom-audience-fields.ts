import { Type } from 'typebox'
import { base36, choice, text } from '../../../platform/http/schema.ts'
import { removable, required } from '../entity/fields.ts'
import { reasonsNotTargetable, targetable } from './targetability.ts'

/** What an account may do with an audience that was shared with it. */
export const LEVELS = ['READ_ONLY', 'READ_WRITE'] as const
export type Level = (typeof LEVELS)[number]

export const fields = {
  name: { schema: text(1, 255, 'Human-readable name, unique in the account in any case.'), ...required },
  description: { schema: text(1, 255, 'Human-readable name.'), ...removable },
  audience_type: { schema: choice(['CRM'], 'Source of its members: uploads.'), derived: 'fixed' },
  targetable: { schema: targetable, derived: true },
  targetable_types: {
    schema: Type.Array(Type.Enum(['CRM', 'EXCLUDED_CRM']), { description: 'Uses of the audience.' }),
    derived: true,
  },
  reasons_not_targetable: { schema: reasonsNotTargetable, derived: true },
  audience_size: {
    schema: Type.Integer({
      description: 'Number of current members; null if there are too few to report.',
    }),
    null: true,
    derived: true,
  },
  owner_account_id: { schema: base36('The account that it belongs to.'), derived: 'fixed' },
  is_owner: {
    schema: Type.Boolean({ description: 'Whether this is the account of the request.' }),
    derived: true,
  },
  permission_level: {
    schema: choice([...LEVELS], 'Permission of the account.', 'PermissionLevel'),
    derived: true,
  },
  partner_source: { schema: choice(['OTHER'], 'Source of its members.'), derived: 'fixed' },
} as const
