import { id } from '../../../../platform/http/schema.ts'

export const messageId = id('The message.')

/** The message that the documents show. */
export const MESSAGE = { id: '1772366400000000000', text: 'Hello', author_id: '1900000000000000007' }
