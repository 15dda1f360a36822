import { Type } from 'typebox'

/** A name of a user (interface, usernames); compared without case. */
export const username = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_]{1,15}$', description })
