import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ReadEntities } from '../../platform/text/entities.ts'
import { readEntities } from '../../platform/text/entities.ts'
import { languageOf } from './language.ts'

/** The language and the entities of a text, which do not depend on its author. */
export interface TextAnalysis {
  readonly text: string
  readonly lang: string
  readonly entities: ReadEntities
}

/** A longer text is read in turns of the event loop. */
const SHORT_CHARACTERS = 500

/**
 * Finds the language and the entities of a text. Called before the transaction that stores the
 * text, so that neither other requests nor other writes wait for a long text.
 */
export async function analyseText(text: string): Promise<TextAnalysis> {
  const isLong = text.length > SHORT_CHARACTERS
  if (isLong) await nextTurn()
  const lang = await languageOf(text)
  if (isLong) await nextTurn()
  const entities = readEntities(text)
  if (isLong) await nextTurn()
  return { text, lang, entities }
}
