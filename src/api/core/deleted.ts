import { Type } from 'typebox'
import { component } from '../../platform/http/schema.ts'

/** The reply for a deleted resource. */
export const Deleted = component(
  'Deleted',
  Type.Object({ deleted: Type.Boolean() }, { additionalProperties: false }),
)
