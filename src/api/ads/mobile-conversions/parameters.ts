import { isIP } from 'node:net'
import { type Static, Type } from 'typebox'
import { msg } from '../../../platform/http/message.ts'
import { choice, ids, integerChoice, text } from '../../../platform/http/schema.ts'
import { AdsApiError } from '../../../platform/protocols/ads/api-error.ts'
import { type AdsError, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { MAX_APP_IDENTIFIER } from '../accounts/app-fields.ts'
import { type System, wrongApp } from '../accounts/app-identifier.ts'
import { ENGAGEMENT_WINDOWS, fields as tagFields, VIEW_WINDOWS } from '../app-event-tags/fields.ts'
import { MAX_ITEMS, MAX_VALUE, timeOf, wrongCurrency, wrongFuture, wrongTime } from '../conversions/check.ts'
import { type Echo, VERSION } from '../endpoint.ts'

const MAX_DEVICE_ID = 255
const MAX_DEVICES = 20
const MAX_TIME = 40
const MAX_CURRENCY = 40
const MAX_ADDRESS = 45
const MAX_LEVEL = 2_147_483_647
const DAY_MS = 86_400_000

/** The limit of conversions on websites: none is documented. */
export const LIMITS = { limits: { user: '60000/15m' } } as const

export const ENGAGEMENT_TYPES = ['CLICK', 'VIEW'] as const

/** The windows of a call that names only one, in days. */
const CLICK_DAYS = 14
const VIEW_DAYS = 1

/** What both endpoints take (reference: mobile measurement). */
export const questionParameters = {
  app_id: text(1, MAX_APP_IDENTIFIER, 'Package name of the app, or its number in the store.'),
  os_type: tagFields.os_type.schema,
  conversion_type: tagFields.conversion_type.schema,
  conversion_time: text(
    1,
    MAX_TIME,
    'When it happened, in ISO 8601 with a time zone: `2026-03-01T12:00:00.000Z`.',
  ),
  hashed_device_id: text(
    1,
    MAX_DEVICE_ID,
    'Hash of the advertising id of the device. Each stands for one person. A `click_id` stands for the person who clicked.',
  ),
  click_window: Type.Optional(
    integerChoice(
      ENGAGEMENT_WINDOWS,
      'Days after an engagement during which it counts; 14 if only `view_through_window` is given. Without both, the windows of the app event tag.',
      'ClickWindow',
    ),
  ),
  view_through_window: Type.Optional(
    integerChoice(
      VIEW_WINDOWS,
      'Days after a view during which it counts, 0 for none and at most `click_window`; 1 if only that is given.',
      'ViewThroughWindow',
    ),
  ),
  extra_device_ids: Type.Optional(
    ids(text(1, MAX_DEVICE_ID, 'A hash.'), 'More hashes of the same person.', MAX_DEVICES),
  ),
  non_service_engagement_time: Type.Optional(
    text(
      1,
      MAX_TIME,
      'When the person last met an advertisement elsewhere, with a time zone. Returned in UTC.',
    ),
  ),
  non_service_engagement_type: Type.Optional(
    choice([...ENGAGEMENT_TYPES], 'How. Returned as it is.', 'AdEngagement'),
  ),
  limit_ad_tracking: Type.Optional(
    Type.Boolean({ description: 'Whether the person limits tracking. Returned as it is.' }),
  ),
} as const

/** What describes an event, in addition. */
export const eventParameters = {
  ...questionParameters,
  device_ip_address: Type.Optional(text(1, MAX_ADDRESS, 'Address of the device. Accepted, and not kept.')),
  level: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_LEVEL, description: 'Level of a game.' })),
  number_items: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ITEMS, description: 'Number of items; 1 by default.' }),
  ),
  price_currency: Type.Optional(text(1, MAX_CURRENCY, 'ISO 4217; `USD` by default.')),
  price_micro: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_VALUE * 1_000_000,
      description: 'What it is worth, in millionths of `price_currency`; 0 by default.',
    }),
  ),
  user_payment_info: Type.Optional(
    Type.Boolean({ description: 'Whether the person has stored a means of payment.' }),
  ),
} as const

/** Replies repeat every parameter as text (reference: mobile measurement). */
export const echo: Echo = {
  parameters: Object.fromEntries(
    Object.keys(eventParameters).map((name) => [name, { write: (sent: string) => JSON.stringify(sent) }]),
  ),
  constants: { version_number: VERSION },
}

const Form = Type.Object(eventParameters)
export type EventForm = Static<typeof Form>

/** An event in an app. */
export interface AppEvent {
  readonly appId: string
  readonly system: System
  readonly type: EventForm['conversion_type']
  readonly atMs: number
  /** Hashes of the devices of the person, that of the event first. */
  readonly devices: readonly string[]
  /** The windows of the call, in days; undefined for those of the tag. */
  readonly windows: Windows | undefined
}

/** How long after an engagement and after a view an event counts, in days. */
export interface Windows {
  readonly clickDays: number
  readonly viewDays: number
}

/** The windows of a call without any, and without a tag. */
export const USUAL_WINDOWS: Windows = { clickDays: CLICK_DAYS, viewDays: VIEW_DAYS }

export const inMs = ({ clickDays, viewDays }: Windows) => ({
  clickWindowMs: clickDays * DAY_MS,
  viewWindowMs: viewDays * DAY_MS,
})

/** Checks the parameters of a call. Throws all of their errors. */
export function readEvent(sent: EventForm, nowMs: number): AppEvent {
  const { app_id: appId, os_type: system, hashed_device_id, extra_device_ids = [], ...others } = sent
  const { click_window, view_through_window, conversion_time, device_ip_address: address } = others
  const windows =
    click_window === undefined && view_through_window === undefined
      ? undefined
      : { clickDays: click_window ?? CLICK_DAYS, viewDays: view_through_window ?? VIEW_DAYS }
  const elsewhere = others.non_service_engagement_time
  const errors = [
    ...wrongApp('app_id', appId, system),
    ...wrongTime('conversion_time', conversion_time),
    ...wrongFuture(conversion_time, nowMs),
    ...(elsewhere === undefined ? [] : wrongTime('non_service_engagement_time', elsewhere)),
    ...(windows ? wrongWindows(windows) : []),
    ...(others.price_currency === undefined ? [] : wrongCurrency(others.price_currency)),
    ...(address === undefined || isIP(address) > 0 ? [] : [wrongAddress(address)]),
  ]
  if (errors.length > 0) throw new AdsApiError({ errors })
  const devices = [...new Set([hashed_device_id, ...extra_device_ids])]
  return { appId, system, type: sent.conversion_type, atMs: timeOf(conversion_time), devices, windows }
}

const wrongWindows = ({ clickDays, viewDays }: Windows): AdsError[] =>
  viewDays <= clickDays
    ? []
    : [
        wrongParameter(
          'click_window',
          msg`Expected at least the ${viewDays} days of view_through_window, got ${clickDays} for click_window`,
        ),
      ]

const wrongAddress = (address: string): AdsError =>
  wrongParameter('device_ip_address', msg`Expected an IP address, got "${address}" for device_ip_address`)
