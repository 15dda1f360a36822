import { readFileSync } from 'node:fs'
import { activityNames, formerActivityNames } from '../../delivery/activities/kinds/kinds.ts'
import { BODY_WORDS } from '../../domain/audience-members/check.ts'
import { REPOST_PREFIX } from '../../domain/posts/repost-text.ts'
import { queryIdentifiers } from '../../domain/query-language/names.ts'
import type { PlazaEndpoint } from '../../identity/auth/endpoint.ts'
import { SCOPE_SPELLINGS } from '../../identity/tokens/scopes.ts'
import { VERSION } from '../../platform/common/version.ts'
import type { Config } from '../../platform/config/config.ts'
import { type UnrenamedWord, unrenamedWords } from '../../platform/http/inflections.ts'
import { compileReply } from '../../platform/http/reply.ts'
import { rejectSharedRoutes } from '../../platform/http/routes.ts'
import { readParameters, readPath } from '../../platform/http/steps/parameters.ts'
import {
  neutralVocabulary,
  readEntries,
  readVocabulary,
  type Vocabulary,
} from '../../platform/http/vocabulary.ts'
import { servedBy } from '../../platform/protocols/protocols.ts'
import { lexiconOf } from '../openapi/lexicon.ts'
import { openApi } from '../openapi/openapi.ts'

/**
 * Names that no endpoint declares: of calls to webhooks, bodies that handlers read themselves,
 * scopes, queries and texts.
 */
const OTHER_NAMES = {
  identifiers: [
    ...['crc_token', 'nonce', 'response_token', 'denied', 'before', 'after'],
    ...BODY_WORDS,
    ...SCOPE_SPELLINGS,
    ...queryIdentifiers,
    REPOST_PREFIX,
  ],
  eventTypes: [...activityNames, ...formerActivityNames],
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

/**
 * The vocabulary of the settings. Throws for an entry that matches nothing in `endpoints`, and if
 * two of them would have the same path.
 */
export function openVocabulary(
  { vocabulary }: Pick<Config, 'vocabulary'>,
  endpoints: readonly PlazaEndpoint[],
): Vocabulary {
  if (vocabulary === undefined) return neutralVocabulary
  const text = readFileSync(vocabulary, 'utf8')
  const opened = readVocabulary(text, vocabulary, lexiconOf(endpoints, OTHER_NAMES))
  for (const host of ['core', 'ads', 'sandbox'] as const)
    rejectSharedRoutes(
      endpoints.filter((endpoint) => servedBy(host, endpoint)),
      opened,
    )
  return opened
}

/** Whether replies are JSON. */
const hasValue = ({ replyKind }: PlazaEndpoint) => replyKind === 'json' || replyKind === 'stream'

/**
 * The same. Also throws if it gives two names of one place the same name: endpoints cannot be
 * compiled then, nor documents be written.
 */
export function checkedVocabulary(
  config: Pick<Config, 'vocabulary'>,
  endpoints: readonly PlazaEndpoint[],
): Vocabulary {
  const vocabulary = openVocabulary(config, endpoints)
  const naming = { vocabulary, problemBase: '' }
  for (const endpoint of endpoints) {
    readPath.compile(endpoint, { naming })
    readParameters.compile(endpoint, { naming })
    if (hasValue(endpoint)) compileReply(endpoint.reply, vocabulary)
  }
  for (const document of ['core', 'ads'] as const)
    openApi(document, endpoints, { version: VERSION, vocabulary })
  return vocabulary
}

/**
 * The words that the vocabulary in a file leaves as they are, although it renames related ones.
 * Throws as `openVocabulary` does.
 */
export function checkVocabulary(file: string, endpoints: readonly PlazaEndpoint[]): UnrenamedWord[] {
  const text = readFileSync(file, 'utf8')
  const lexicon = lexiconOf(endpoints, OTHER_NAMES)
  readVocabulary(text, file, lexicon)
  return unrenamedWords(readEntries(text, file), lexicon)
}

/** Words that a warning names. */
const MAX_SHOWN = 5

/** A warning about inflections that the vocabulary does not rename, usually by mistake. */
export function vocabularyWarning(
  { vocabulary }: Config,
  endpoints: readonly PlazaEndpoint[],
): string | undefined {
  if (vocabulary === undefined) return undefined
  const inflections = checkVocabulary(vocabulary, endpoints).filter(({ isInflection }) => isInflection)
  if (inflections.length === 0) return undefined
  const shown = inflections
    .slice(0, MAX_SHOWN)
    .map(
      ({ word, renamed, names }) =>
        `"${renamed}" but not "${word}" (${names.length} ${names.length === 1 ? 'name' : 'names'})`,
    )
  const more = inflections.length > MAX_SHOWN ? ` and ${inflections.length - MAX_SHOWN} more` : ''
  return `The vocabulary renames ${shown.join(', ')}${more}. Give each an entry, if only with its own name. "plaza vocabulary check ${vocabulary}" lists the names.`
}
