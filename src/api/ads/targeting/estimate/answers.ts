/**
 * Whether a user matches a criterion. If the platform does not know, it is neither a match nor a miss: an estimate
 * ranges from the users who certainly match to those who may.
 */
export const NO = 0
export const MAYBE = 1
export const YES = 2
export type Answer = typeof NO | typeof MAYBE | typeof YES

/** The best of some answers. */
export function anyOf(answers: Iterable<Answer>): Answer {
  let best: Answer = NO
  for (const one of answers) {
    if (one === YES) return YES
    if (one > best) best = one
  }
  return best
}

/** The worst of some answers. */
export function allOf(answers: Iterable<Answer>): Answer {
  let worst: Answer = YES
  for (const one of answers) {
    if (one === NO) return NO
    if (one < worst) worst = one
  }
  return worst
}

export const not = (answer: Answer): Answer => (YES - answer) as Answer
