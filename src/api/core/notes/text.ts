import { hasAddress, MAX_NOTE_LENGTH, noteLength } from '../../../domain/notes/evaluation.ts'
import { normalised, textFault } from '../../../domain/posts/weight.ts'
import { msg } from '../../../platform/http/message.ts'
import { wrong } from '../posts/wrong.ts'

/** The text of a note as it is stored. Throws an error that names the member of the body. */
export function checkedText(name: string, text: string): string {
  const said = normalised(text)
  const fault = textFault(said)
  if (fault === 'unreadable') throw wrong(name, text, msg`The note contains invalid characters.`)
  if (fault === 'blank') throw wrong(name, text, msg`The note needs text.`)
  if (noteLength(said) > MAX_NOTE_LENGTH)
    throw wrong(
      name,
      text,
      msg`The note is too long: it may have ${MAX_NOTE_LENGTH} characters, and each URL counts as one.`,
    )
  return said
}

/** The same for a note that is to be stored, which must name a source. */
export function checkedNote(name: string, text: string): string {
  const said = checkedText(name, text)
  if (!hasAddress(said)) throw wrong(name, text, msg`The note needs an http or https URL.`)
  return said
}
