import { Type } from 'typebox'
import { nullable, text } from '../../../platform/http/schema.ts'

export const cardUri = (description: string) => Type.String({ pattern: '^card://[0-9]{1,19}$', description })

/** The form of the URIs of cards. */
export const CARD_URI = /^card:\/\/[0-9]{1,19}$/

/** The number in the URI of a card. */
export const numberIn = (uri: string): string => uri.slice('card://'.length)

export const cardName = text(1, 80, 'Human-readable name.')

/** A computed member, omitted when it has no value. */
export const sparseText = (description: string) =>
  ({ schema: Type.String({ description }), derived: true, sparse: true }) as const

/** A computed member of a card with a video: `null` until the poster of the video is made. */
export const posterText = (description: string) =>
  ({ schema: nullable(Type.String({ description })), derived: true, sparse: true }) as const

/** The URI of a card: its id is this number in base 36. */
export const cardUriField = {
  schema: cardUri('URI by which a post refers to the card.'),
  derived: true,
} as const
