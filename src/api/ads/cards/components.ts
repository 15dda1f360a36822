import { type Static, Type } from 'typebox'
import { isCountry } from '../../../platform/common/countries.ts'
import { type Message, msg, word } from '../../../platform/http/message.ts'
import { choice, closedComponent, component, text, webAddress } from '../../../platform/http/schema.ts'
import { type AdsError, missingParameter, wrongParameter } from '../../../platform/protocols/ads/codes.ts'
import { mediaKey } from '../media/media-key.ts'
import { IN_CARD, type MediaReference } from './media.ts'

const TYPES = ['MEDIA', 'SWIPEABLE_MEDIA', 'DETAILS', 'BUTTON'] as const
const LABELS = ['BOOK', 'CONNECT', 'INSTALL', 'OPEN', 'ORDER', 'PLAY', 'SHOP'] as const
const MAX_SWIPEABLE = 6
const MAX_TITLE_LENGTH = 70
const MAX_URL_LENGTH = 2048
/** Higher than the documented limit, so that exceeding that limit gets its own error. */
const MAX_COMPONENTS = 10

const closed = { additionalProperties: false }
const optional = Type.Optional
const url = (description: string) =>
  Type.String({ pattern: '^[^\\s\\0]+$', maxLength: MAX_URL_LENGTH, description })

/** The destination of a card: the members of both kinds, whose rules are below. */
const Destination = closedComponent('CardDestination', {
  type: choice(['WEBSITE', 'APP'], 'Details lead to a website, a button to an app.'),
  url: optional(webAddress('URL of a website.')),
  country_code: optional(text(2, 2, 'For an app: country of the store, ISO 3166-1.')),
  googleplay_app_id: optional(
    Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z0-9_]+)+$',
      maxLength: 255,
      description: 'App identifier, for an app.',
    }),
  ),
  ios_app_store_identifier: optional(
    Type.String({ pattern: '^[0-9]{1,15}$', description: 'App identifier, for an app.' }),
  ),
  googleplay_deep_link: optional(url('Deep link into the app of that store.')),
  ios_deep_link: optional(url('Deep link into the app of that store.')),
})

const Label = component(
  'ButtonLabel',
  Type.Object(
    {
      type: choice(['ENUM'], 'The only type.'),
      value: choice([...LABELS], 'Text of the button.', 'ButtonText'),
    },
    { ...closed, description: 'For `BUTTON`.' },
  ),
)

/** A part of a card: the members of every type, whose rules are below. */
export const Component = closedComponent('CardComponent', {
  type: choice([...TYPES], 'Its type.', 'CardComponentType'),
  media_key: optional(mediaKey('For `MEDIA`: a medium in the library of the account.')),
  media_keys: optional(
    Type.Array(mediaKey('Key of a medium in the library of the account.'), {
      minItems: 2,
      maxItems: MAX_SWIPEABLE,
      description: 'For `SWIPEABLE_MEDIA`.',
    }),
  ),
  title: optional(text(1, MAX_TITLE_LENGTH, 'For `DETAILS`.')),
  label: optional(Label),
  destination: optional(Destination),
})

export type Component = Static<typeof Component>

/** A component as callers send it. Members that are not declared are ignored. */
const SentComponent = component(
  'NewCardComponent',
  Type.Object({
    ...Component.properties,
    label: optional(
      component('NewButtonLabel', Type.Object(Label.properties, { description: 'For `BUTTON`.' })),
    ),
    destination: optional(component('NewCardDestination', Type.Object(Destination.properties))),
  }),
)
type Destination = Static<typeof Destination>

export const Components = Type.Array(SentComponent, {
  maxItems: MAX_COMPONENTS,
  description: 'Components from top to bottom.',
})

export const Slides = Type.Array(Components, {
  minItems: 2,
  maxItems: MAX_SWIPEABLE,
  description: 'Slides of a carousel with several destinations; each has a medium and details.',
})

type Type_ = Component['type']
type Member = Exclude<keyof Component, 'type'>

/** The members of each type. All of them are required, and no others are allowed. */
const MEMBERS: Readonly<Record<Type_, readonly Member[]>> = {
  MEDIA: ['media_key'],
  SWIPEABLE_MEDIA: ['media_keys'],
  DETAILS: ['title', 'destination'],
  BUTTON: ['label', 'destination'],
}
const ALL_MEMBERS: readonly Member[] = ['media_key', 'media_keys', 'title', 'label', 'destination']

const combination = (parameter: string, message: Message) =>
  wrongParameter(parameter, message, 'INVALID_CARD_COMPONENTS_COMBINATION')

/** The errors of the components of a card, or of one of its slides, at `path`. */
export function wrongComponents(
  components: readonly Component[],
  path: string,
  isSlide: boolean,
): AdsError[] {
  const errors = components.flatMap((component, index) => wrongComponent(component, `${path}[${index}]`))
  const media = components.filter(({ type }) => type === 'MEDIA' || type === 'SWIPEABLE_MEDIA')
  const ends = components.filter(({ type }) => type === 'DETAILS' || type === 'BUTTON')
  if (media.length !== 1 || ends.length !== 1)
    errors.push(combination(path, msg`A card needs one component with media, and either DETAILS or BUTTON`))
  else if (isSlide && (media[0]?.type !== 'MEDIA' || ends[0]?.type !== 'DETAILS'))
    errors.push(combination(path, msg`A slide needs one MEDIA component and one DETAILS component`))
  return errors
}

function wrongComponent(component: Component, path: string): AdsError[] {
  const members = MEMBERS[component.type]
  const errors: AdsError[] = []
  for (const name of ALL_MEMBERS) {
    const at = `${path}.${name}`
    if (members.includes(name) === (component[name] !== undefined)) continue
    errors.push(
      component[name] === undefined
        ? missingParameter(at)
        : wrongParameter(at, msg`A component of the type ${word(component.type)} has no ${word(name)}`),
    )
  }
  const { destination } = component
  if (destination && members.includes('destination'))
    errors.push(...wrongDestination(destination, component.type, `${path}.destination`))
  return errors
}

const APP_MEMBERS = [
  'country_code',
  'googleplay_app_id',
  'ios_app_store_identifier',
  'googleplay_deep_link',
  'ios_deep_link',
] as const

function wrongDestination(destination: Destination, type: Type_, path: string): AdsError[] {
  const required = type === 'BUTTON' ? 'APP' : 'WEBSITE'
  if (destination.type !== required)
    return [
      combination(path, msg`A component of the type ${type} needs a destination of the type ${required}`),
    ]
  const foreign = required === 'APP' ? (['url'] as const) : APP_MEMBERS
  const errors: AdsError[] = foreign
    .filter((name) => destination[name] !== undefined)
    .map((name) =>
      wrongParameter(
        `${path}.${name}`,
        msg`A destination of the type ${word(required)} has no ${word(name)}`,
      ),
    )
  if (required === 'APP') return [...errors, ...wrongApp(destination, path)]
  return destination.url === undefined ? [...errors, missingParameter(`${path}.url`)] : errors
}

function wrongApp(app: Destination, path: string): AdsError[] {
  const errors: AdsError[] = []
  const country = app.country_code
  if (country === undefined) errors.push(missingParameter(`${path}.country_code`))
  else if (!isCountry(country))
    errors.push(wrongParameter(`${path}.country_code`, msg`"${country}" is not a country of ISO 3166-1`))
  if (app.googleplay_app_id === undefined && app.ios_app_store_identifier === undefined)
    errors.push(missingParameter(`${path}.googleplay_app_id`))
  for (const [link, id] of [
    ['googleplay_deep_link', 'googleplay_app_id'],
    ['ios_deep_link', 'ios_app_store_identifier'],
  ] as const)
    if (app[link] !== undefined && app[id] === undefined)
      errors.push(
        wrongParameter(
          `${path}.${link}`,
          msg`${word(link)} and ${word(id)} are inclusive parameters`,
          'INCLUSIVE_PARAMETERS',
        ),
      )
  return errors
}

/** The media in components, with their locations. */
export const mediaNamed = (components: readonly Component[], path: string): MediaReference[] =>
  components.flatMap(({ media_key, media_keys }, index): MediaReference[] => [
    ...(media_key === undefined
      ? []
      : [{ parameter: `${path}[${index}].media_key`, key: media_key, takes: IN_CARD }]),
    ...(media_keys ?? []).map((key, place) => ({
      parameter: `${path}[${index}].media_keys[${place}]`,
      key,
      takes: IN_CARD,
    })),
  ])
