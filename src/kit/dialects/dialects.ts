import type { DialectName } from '../endpoint.ts'
import { ads } from './ads.ts'
import type { Dialect } from './dialect.ts'
import { legacy } from './legacy.ts'
import { page } from './page.ts'
import { problem } from './problem.ts'

/** Every dialect by its name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = { problem, legacy, ads, page }
