import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadEntities } from '../../platform/text/entities.ts'
import { readEntities } from '../../platform/text/entities.ts'
import { languageOf } from './language.ts'

/** What a text says by itself, whoever writes it. */
export interface ReadText {
  readonly text: string
  readonly lang: string
  readonly entities: ReadEntities
}

/** A longer text is read in turns of the event loop. */
const SHORT_CHARACTERS = 500

/**
 * Finds the language and the entities of a text. Called before the transaction that stores the text, so that neither other
 * requests nor other writes wait for a long one.
 */
export async function readText(text: string): Promise<ReadText> {
  const isLong = text.length > SHORT_CHARACTERS
  if (isLong) await nextTurn()
  const lang = await languageOf(text)
  if (isLong) await nextTurn()
  const entities = readEntities(text)
  if (isLong) await nextTurn()
  return { text, lang, entities }
}
