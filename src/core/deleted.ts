import { Type } from 'typebox'
import { component } from '../http/schema.ts'

/** The reply for a deleted resource. */
export const Deleted = component(
  'Deleted',
  Type.Object({ deleted: Type.Boolean() }, { additionalProperties: false }),
)
