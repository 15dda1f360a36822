import type { DialectName } from '../http/endpoint.ts'
import { ads } from './ads/errors.ts'
import type { Dialect } from './dialect.ts'
import { legacy } from './legacy/errors.ts'
import { page } from './page/errors.ts'
import { problem } from './problem/errors.ts'

/** Every dialect by its name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = { problem, legacy, ads, page }
