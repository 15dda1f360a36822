import { Type } from 'typebox'

/** The node whose journal, or counts, a reply shows: each node has its own. */
export const ownNode = (what: string) =>
  Type.Integer({
    minimum: 0,
    description: `The node that answers: ${what} are its own. 0 if there is only one.`,
  })
