/**
 * Whether a user matches a criterion. If the platform does not know, it is neither a match nor a
 * miss: an estimate ranges from the users who certainly match to those who may.
 */
export const NO = 0
export const MAYBE = 1
export const YES = 2
export type MatchAnswer = typeof NO | typeof MAYBE | typeof YES

/** The best of some answers. */
export function anyOf(answers: Iterable<MatchAnswer>): MatchAnswer {
  let best: MatchAnswer = NO
  for (const answer of answers) {
    if (answer === YES) return YES
    if (answer > best) best = answer
  }
  return best
}

/** The worst of some answers. */
export function allOf(answers: Iterable<MatchAnswer>): MatchAnswer {
  let worst: MatchAnswer = YES
  for (const answer of answers) {
    if (answer === NO) return NO
    if (answer < worst) worst = answer
  }
  return worst
}

export const not = (answer: MatchAnswer): MatchAnswer => (YES - answer) as MatchAnswer
