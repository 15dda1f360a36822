import { Type } from 'typebox'
import { closedObject } from '../../platform/http/schema.ts'

const MAX_ADDED = 1_000_000_000

/** A member for each metric. */
export const amounts = (metrics: readonly string[]) =>
  closedObject(
    Object.fromEntries(
      metrics.map((metric) => [metric, Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_ADDED }))]),
    ),
  )
