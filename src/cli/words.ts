import { readFileSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import type { Vocabulary } from '../http/vocabulary.ts'
import { neutralVocabulary, readVocabulary } from '../http/vocabulary.ts'

/** The words in which the server beside this command speaks. */
export const vocabularyOf = ({ vocabulary }: Config): Vocabulary =>
  vocabulary === undefined ? neutralVocabulary : readVocabulary(readFileSync(vocabulary, 'utf8'), vocabulary)

export const WEBHOOK_PORT = 3001
export const WEBHOOK_PATH = '/webhook'
/** Where `plaza listen` is reached unless it is told another port. */
export const WEBHOOK_URL = `http://127.0.0.1:${WEBHOOK_PORT}${WEBHOOK_PATH}`
