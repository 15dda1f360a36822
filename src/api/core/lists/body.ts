import { Type } from 'typebox'
import { type ListText, MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from '../../../domain/lists/lists.ts'
import { text } from '../../../platform/http/schema.ts'

export const name = text(1, MAX_NAME_LENGTH, 'Name.')
export const description = Type.Optional(text(0, MAX_DESCRIPTION_LENGTH, 'Description; may be empty.'))
export const isPrivate = Type.Optional(Type.Boolean({ description: 'Whether only the owner sees the list.' }))

/** The columns of what a body says about a list. */
export const textOf = (body: {
  name?: string
  description?: string
  private?: boolean
}): Partial<ListText> => ({
  ...(body.name !== undefined && { name: body.name }),
  ...(body.description !== undefined && { description: body.description }),
  ...(body.private !== undefined && { private: Number(body.private) }),
})
