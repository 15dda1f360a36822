/**
 * Nothing can be made with a value. The message is a sentence that names what is wrong with it.
 */
export class WrongValue extends Error {
  override readonly name = 'WrongValue'
  /** The member with the value: `screen_name`, `poll.options`. */
  readonly member: string
  readonly value: string

  constructor(member: string, value: unknown, sentence: string) {
    super(sentence)
    this.member = member
    this.value = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  }
}

/** What is to be read or changed does not exist. The message is a sentence that names it. */
export class NotThere extends Error {
  override readonly name = 'NotThere'
}
