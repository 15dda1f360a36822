/** An error about a value of a seed, with its JSON pointer. */
export interface SeedProblem {
  readonly pointer: string
  readonly what: string
}
