import { Type } from 'typebox'
import { component } from '../http/schema.ts'

/** What a reply says of a resource that it deleted. */
export const Deleted = component(
  'Deleted',
  Type.Object({ deleted: Type.Boolean() }, { additionalProperties: false }),
)
