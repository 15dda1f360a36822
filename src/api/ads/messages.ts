import { truncated } from '../../platform/common/cut-text.ts'
import { instantText } from '../../platform/common/instant.ts'
import { msg } from '../../platform/http/message.ts'
import { wrongAttribute, wrongParameter } from '../../platform/protocols/ads/codes.ts'

// Errors of rules that several resources share, in the form of those of parsed parameters.

/** Maximum length of a value in a message, in characters. */
export const SHOWN_LENGTH = 100

/** The error of a name without a visible character. */
export const blankName = (name: string) =>
  wrongAttribute('name', msg`Expected a visible character, got "${truncated(name, SHOWN_LENGTH)}" for name`)

/** The error of a window of time that ends before it begins, or at the same time. */
export const emptyWindow = (start: number, end: number) =>
  wrongParameter(
    'end_time',
    msg`Expected a time later than start_time ${instantText(start)}, got "${instantText(end)}" for end_time`,
    'INVALID_TIME_WINDOW',
  )
