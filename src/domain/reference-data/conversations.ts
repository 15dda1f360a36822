import { lookup, once, readTable } from '../../platform/common/lookup.ts'
import { base36Id } from './ids.ts'

export interface ConversationOption {
  targeting_type: 'CONVERSATION'
  targeting_value: string
  name: string
  conversation_type: string
}

const topics = once(() => readTable(new URL('conversations.tsv', import.meta.url)))

export const conversationTypes: readonly string[] = topics().map(([type = '']) => type)

export const conversations = once((): readonly ConversationOption[] =>
  topics().flatMap(([type = '', ...names]) =>
    names.map((name) => ({
      targeting_type: 'CONVERSATION',
      targeting_value: base36Id(`conversation:${type}/${name}`),
      name,
      conversation_type: type,
    })),
  ),
)

export const conversationByValue = lookup(conversations, (option) => option.targeting_value)

export function isConversation(value: string): boolean {
  return conversationByValue(value) !== undefined
}
