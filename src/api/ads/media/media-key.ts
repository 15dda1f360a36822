import { Type } from 'typebox'
import { MEDIA_KEY } from '../../../domain/media/media.ts'

export const mediaKey = (description: string) =>
  Type.String({ pattern: MEDIA_KEY, format: 'media_key', description })
