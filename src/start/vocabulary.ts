import { readFileSync } from 'node:fs'
import { BODY_WORDS } from '../audience-members/check.ts'
import type { Config } from '../config/config.ts'
import type { PlazaEndpoint } from '../auth/endpoint.ts'
import { lexiconOf } from '../openapi/lexicon.ts'
import type { Vocabulary } from '../http/vocabulary.ts'
import { neutralVocabulary, readVocabulary } from '../http/vocabulary.ts'
import { SCOPE_SPELLINGS } from '../identity/scopes.ts'
import { REPOST_PREFIX } from '../posts/repost-text.ts'
import { queryIdentifiers } from '../query-language/names.ts'

/** Names that no endpoint declares: of calls to webhooks, bodies that handlers read themselves, scopes, queries and texts. */
const OTHER_NAMES = {
  identifiers: [
    ...['crc_token', 'nonce', 'response_token', 'denied', 'before', 'after'],
    ...BODY_WORDS,
    ...SCOPE_SPELLINGS,
    ...queryIdentifiers,
    REPOST_PREFIX,
  ],
  headers: [
    'x-svc-webhooks-signature',
    'x-account-rate-limit-limit',
    'x-account-rate-limit-remaining',
    'x-account-rate-limit-reset',
    'x-user-limit-24hour-limit',
    'x-user-limit-24hour-remaining',
    'x-user-limit-24hour-reset',
  ],
} as const

/** The vocabulary of the settings. Throws for an entry that matches nothing in the interface of `endpoints`. */
export function openVocabulary({ vocabulary }: Config, endpoints: readonly PlazaEndpoint[]): Vocabulary {
  if (vocabulary === undefined) return neutralVocabulary
  return readVocabulary(readFileSync(vocabulary, 'utf8'), vocabulary, lexiconOf(endpoints, OTHER_NAMES))
}
