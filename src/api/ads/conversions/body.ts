import { type Static, Type } from 'typebox'
import { raw } from '../../../platform/http/schema.ts'

const MAX_CONVERSIONS = 500
const MAX_TEXT = 4_096
/** It is in an index. */
const MAX_CONVERSION_ID = 512
const MAX_IDENTIFIERS = 100
const MAX_CONTENTS = 500

const some = (description: string, maxLength = MAX_TEXT) =>
  Type.Optional(Type.String({ maxLength, description }))

const Identifier = Type.Object(
  {
    click_id: some('The click identifier of the landing URL.'),
    hashed_email: some('SHA-256 of the address in lower case, in hexadecimal digits.'),
    hashed_phone_number: some('SHA-256 of the number in E.164 form, in hexadecimal digits.'),
    ip_address: some('Address of the browser; needs `user_agent`.'),
    user_agent: some('Name of the browser; needs `ip_address`.'),
  },
  { description: 'Keys of the person, at least one of all objects together.' },
)

const Content = Type.Object(
  {
    content_id: some('SKU or GTIN of a product.'),
    content_group_id: Type.Optional(
      raw(Type.Union([Type.String(), Type.Integer()], { description: 'Group of products.' })),
    ),
    content_name: some('Name of a product.'),
    content_type: some('Kind of a product.'),
    content_price: Type.Optional(Type.Number({ description: 'Price of a product.' })),
    num_items: Type.Optional(Type.Integer({ description: 'Number of products.' })),
  },
  { description: 'What was bought or seen. Accepted, and not kept.' },
)

const Conversion = Type.Object({
  conversion_time: Type.String({
    maxLength: MAX_TEXT,
    description: 'When it happened, in ISO 8601 with a time zone: `2026-03-01T12:00:00.000Z`.',
  }),
  event_id: some('Id of a web event tag, or `svc-SOURCE-TAG`.'),
  event_name: some('Name of the event. Accepted, and not used.'),
  identifiers: Type.Array(Identifier, { maxItems: MAX_IDENTIFIERS, description: 'Who converted.' }),
  conversion_id: some('Your id of it: within 48 hours it is counted once for a tag.', MAX_CONVERSION_ID),
  value: Type.Optional(
    raw(
      Type.Union([Type.Number(), Type.String()], {
        description: 'What it is worth, in `price_currency`; 0 by default.',
      }),
    ),
  ),
  price_currency: some('ISO 4217; `USD` by default.'),
  number_items: Type.Optional(Type.Integer({ description: 'Number of items, at least 1; 1 by default.' })),
  description: some('Text of your own. Accepted, and not kept.'),
  event_source_url: some('Page where it happened. Accepted, and not kept.'),
  contents: Type.Optional(Type.Array(Content, { maxItems: MAX_CONTENTS })),
})
export type Conversion = Static<typeof Conversion>

export const Body = Type.Object({
  conversions: Type.Array(Conversion, { minItems: 1, maxItems: MAX_CONVERSIONS }),
})
