/**
 * Words of posts are suggested to advertisers only if so many authors use them: nobody learns from
 * a suggestion what a single user writes about.
 */
export const MIN_AUTHORS = 3
