import { WHOLE } from '../../platform/common/percentage.ts'
import { fraction, hashText, mixed } from './random.ts'

/**
 * A share of the people that an A/B test splits: those whose place, which follows from the test and
 * the person, is between two bounds. Bounds are in hundredths of a percent, the second exclusive.
 */
export type Share = readonly [test: string, from: number, until: number]

/** The part of all people, from 0 to 1. */
export const sizeOf = (share: Share | undefined): number => (share ? (share[2] - share[1]) / WHOLE : 1)

/** How many of some people are in a share. The shares of a test add up to all of them. */
export const peopleOf = ([, from, until]: Share, people: number): number =>
  Math.round((people * until) / WHOLE) - Math.round((people * from) / WHOLE)

/** Whether a person, given as a hash, is in a share. */
export function isIn([test, from, until]: Share, person: number): boolean {
  const place = fraction(mixed(hashText(test), person)) * WHOLE
  return place >= from && place < until
}
