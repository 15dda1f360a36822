import { readFileSync } from 'node:fs'
import type { Config } from '../../platform/config/config.ts'
import { neutralVocabulary, readVocabulary, type Vocabulary } from '../../platform/http/vocabulary.ts'

/** The vocabulary of the server. */
export const vocabularyOf = ({ vocabulary }: Config): Vocabulary =>
  vocabulary === undefined ? neutralVocabulary : readVocabulary(readFileSync(vocabulary, 'utf8'), vocabulary)

export const WEBHOOK_PORT = 3001
export const WEBHOOK_PATH = '/webhook'
/** The URL of `plaza listen` on its default port. */
export const WEBHOOK_URL = `http://127.0.0.1:${WEBHOOK_PORT}${WEBHOOK_PATH}`
