import { idIn } from '../../../domain/media/media.ts'
import { type MediaHolder, releaseMediaOfRow, useMedia } from '../../../domain/media/uses.ts'
import { msg } from '../../../platform/http/message.ts'
import { adsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import type { WriteContext } from '../entity/types.ts'

export const unknownMedium = (key: string, parameter = 'media_key'): AdsError =>
  wrongParameter(parameter, msg`Media ${key} was not found`, 'MEDIA_NOT_FOUND')

/** A row of the account of a call. */
type MediaUseRow = Omit<MediaHolder, 'account'>
type MediaUseContext = Pick<WriteContext, 'tx' | 'scope' | 'now'>

/**
 * Replaces the media that a row of the account uses, and keeps the new ones. Rejects one that was
 * deleted since it was checked.
 */
export async function useByKeys(
  row: MediaUseRow,
  keys: readonly (string | null)[],
  { tx, scope, now }: MediaUseContext,
  parameterOf: (key: string) => string = () => 'media_key',
): Promise<void> {
  const named = keys.filter((key) => key !== null)
  const referencing = { ...row, account: scope.accountId }
  const [forgotten] = await useMedia(referencing, [...new Set(named.map(idIn))], { tx, now })
  const key = named.find((key) => idIn(key) === forgotten)
  if (key !== undefined) throw adsApiError(unknownMedium(key, parameterOf(key)))
}

/** Removes all uses of media by a row of the account. */
export const releaseMedia = (row: MediaUseRow, { tx, scope, now }: MediaUseContext): Promise<void> =>
  releaseMediaOfRow({ ...row, account: scope.accountId }, { tx, now })
