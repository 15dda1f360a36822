import { Type } from 'typebox'
import { closedComponent, closedObject } from '../../../platform/http/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const value = (description: string) => Type.String({ description })
const name = Type.String({ description: 'What is compared.' })

/** What a check says while it runs. */
export const CheckMessageObject = closedComponent('CheckMessage', {
  progress: Type.Optional(closedObject({ name, compared: count('Rows of it so far.') })),
  difference: Type.Optional(
    closedObject({
      of: Type.String({ description: 'What the value belongs to.' }),
      name: Type.String({ description: 'The counter or index.' }),
      stored: value('The stored value.'),
      expected: value('The value that follows from the rows.'),
    }),
  ),
  comparison: Type.Optional(
    closedObject({ name, compared: count('Rows of it.'), differing: count('Values that differ.') }),
  ),
  result: Type.Optional(
    closedObject({
      compared: count('Rows that were compared.'),
      differing: count('Values that differ.'),
      repaired: Type.Boolean({ description: 'Whether values were corrected.' }),
    }),
  ),
  error: Type.Optional(Type.String({ description: 'Why nothing more is compared.' })),
})
