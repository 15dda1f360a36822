import { hasAddress, MAX_NOTE_LENGTH, noteLength } from '../../../domain/notes/evaluation.ts'
import { normalised, textFault } from '../../../domain/posts/weight.ts'
import { msg } from '../../../platform/http/message.ts'
import { wrong } from '../posts/wrong.ts'

/** The text of a note as it is stored. Throws an error that names the member of the body. */
export function checkedText(name: string, text: string): string {
  const normalizedText = normalised(text)
  const fault = textFault(normalizedText)
  if (fault === 'unreadable') throw wrong(name, text, msg`The note contains invalid characters.`)
  if (fault === 'blank') throw wrong(name, text, msg`The note needs text.`)
  if (noteLength(normalizedText) > MAX_NOTE_LENGTH)
    throw wrong(
      name,
      text,
      msg`The note is too long: it may have ${MAX_NOTE_LENGTH} characters, and each URL counts as one.`,
    )
  return normalizedText
}

/** The same for a note that is to be stored, which must name a source. */
export function checkedNote(name: string, text: string): string {
  const normalizedText = checkedText(name, text)
  if (!hasAddress(normalizedText)) throw wrong(name, text, msg`The note needs an http or https URL.`)
  return normalizedText
}
