import { sql } from 'kysely'

/** A prime below 2^31: lots are the remainders, so that the product below stays in 64 bits. */
export const LOTS = 2_147_483_647
/** The golden section of the prime: ids that follow each other fall far apart, and evenly. */
const STEP = 1_327_217_885

/**
 * The lot of a row with a decimal id, as SQL: a number from 0 to LOTS that has nothing to do with what the row is
 * about. Rows by lot are a sample without order, which an index finds and which is the same every time.
 */
export const LOT = `(((cast(id as bigint) % ${LOTS}) * ${STEP}) % ${LOTS})`

export const lot = sql<number>`${sql.raw(LOT)}`
