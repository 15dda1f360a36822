import { sql } from 'kysely'

/**
 * A prime below 2^31: sample keys are the remainders, so that the product below stays in 64 bits.
 */
export const SAMPLE_KEYS = 2_147_483_647
/** The golden section of the prime spreads consecutive ids evenly and far apart. */
const STEP = 1_327_217_885

/**
 * The sample key of a row with a decimal id, as SQL: a pseudorandom number from 0 to SAMPLE_KEYS,
 * derived from the id. The rows with the smallest keys are a random sample that an index finds, and
 * that is the same every time.
 */
export const SAMPLE_KEY = `(((cast(id as bigint) % ${SAMPLE_KEYS}) * ${STEP}) % ${SAMPLE_KEYS})`

export const sampleKey = sql<number>`${sql.raw(SAMPLE_KEY)}`
