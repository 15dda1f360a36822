import { type TOptional, type TProperties, Type } from 'typebox'

/** All members of a body as optional ones. */
export const optional = <Members extends TProperties>(members: Members) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [Name in keyof Members]: TOptional<Members[Name]>
  }
