import { Type } from 'typebox'
import { base36, choice, closedComponent, text } from '../../../platform/http/schema.ts'
import { removable, required } from '../entity/fields.ts'
import { AudienceSegment, readSegments, newSegments } from './segments.ts'
import { reasonsNotTargetable, targetable } from './targetability.ts'

/** What an account may do with an audience that was shared with it. */
export const LEVELS = ['READ_ONLY', 'READ_WRITE'] as const
export type Level = (typeof LEVELS)[number]

/** Audiences of uploaded users, and those that combine others. */
export const AUDIENCE_TYPES = ['CRM', 'FLEXIBLE', 'MOBILE_AUDIENCE'] as const

export const fields = {
  name: { schema: text(1, 255, 'Human-readable name, unique in the account in any case.'), ...required },
  description: { schema: text(1, 255, 'Human-readable name.'), ...removable },
  audience_type: {
    schema: choice(
      [...AUDIENCE_TYPES],
      'Source of its members: uploads of `CRM`, other audiences of the others.',
      'AudienceType',
    ),
    create: 'batch',
  },
  segments: {
    schema: Type.String(),
    input: newSegments,
    json: readSegments,
    null: true,
    create: 'batch',
    unshown: true,
  },
  targetable: { schema: targetable, derived: true },
  targetable_types: {
    schema: Type.Array(
      Type.Enum([...AUDIENCE_TYPES, ...AUDIENCE_TYPES.map((type) => `EXCLUDED_${type}` as const)]),
      { description: 'Uses of the audience.' },
    ),
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
  metadata: {
    schema: Type.Array(
      closedComponent('AudienceMetadata', {
        custom_audience_id: base36('The audience.'),
        account_id: base36('The account that it belongs to.'),
        name: text(1, 255, 'Human-readable name, unique in the account in any case.'),
        audience_source: choice(['FLEXIBLE_AUDIENCE'], 'Source of its members: other audiences.'),
        upload_status: choice(['UPLOADED'], 'Its segments are stored.'),
        segments: AudienceSegment,
      }),
      { description: 'The segments of an audience that combines others.' },
    ),
    derived: true,
    sparse: true,
  },
  partner_source: { schema: choice(['OTHER'], 'Source of its members.'), derived: 'fixed' },
} as const
