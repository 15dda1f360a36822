import { Type } from 'typebox'
import { countryName } from '../../platform/common/countries.ts'
import { choice, component } from '../../platform/http/schema.ts'
import { fieldsOf, objectShape } from '../../platform/objects/shape.ts'
import {
  boxOfLocation,
  countryLocationId,
  type Location,
  type LocationType,
  locationById,
  locationsReady,
} from '../reference-data/locations.ts'
import type { PostRow } from './tables.ts'

/** A point of GeoJSON (core reference, 00 section 6.1). */
export const PointGeo = component(
  'PostCoordinates',
  Type.Object(
    {
      type: Type.Literal('Point'),
      coordinates: Type.Array(Type.Number(), {
        minItems: 2,
        maxItems: 2,
        description: 'Longitude and latitude, in degrees.',
      }),
    },
    { additionalProperties: false },
  ),
  'A point: where exactly a post was written, or the middle of a place.',
)

/** Longitude and latitude of a post, in degrees; undefined if it has none. */
export const pointOf = ({
  longitude,
  latitude,
}: Pick<PostRow, 'longitude' | 'latitude'>): readonly [number, number] | undefined =>
  longitude === null || latitude === null ? undefined : [longitude, latitude]

/** `geo` of a post: its place and its point, if it has them. */
export function geoOf({ row }: { row: PostRow }) {
  const point = pointOf(row)
  if (row.place_id === null && !point) return undefined
  return {
    ...(row.place_id !== null && { place_id: row.place_id }),
    ...(point && { coordinates: { type: 'Point' as const, coordinates: [...point] } }),
  }
}

/** Degrees are rounded to about a meter. */
const PRECISION = 1e5
const centerOf = ({ west, south, east, north }: NonNullable<ReturnType<typeof boxOfLocation>>) =>
  [(west + east) / 2, (south + north) / 2].map((degrees) => Math.round(degrees * PRECISION) / PRECISION)

const { field } = fieldsOf<Location>()

const TYPES = {
  COUNTRIES: 'country',
  REGIONS: 'admin',
  METROS: 'admin',
  CITIES: 'city',
  POSTAL_CODES: 'neighborhood',
} as const satisfies Record<LocationType, string>

const text = (description: string) => Type.String({ description })

const PlaceGeo = Type.Object(
  {
    type: Type.Literal('Feature'),
    bbox: Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'West, south, east, north.' }),
    geometry: PointGeo,
    properties: Type.Object({}, { additionalProperties: false }),
  },
  { additionalProperties: false, description: 'Approximate location. Cities and postal codes only.' },
)

/** A place in a post (core reference, 00 section 6.2), from the reference data. */
export const place = objectShape<Location>({
  name: 'place',
  plural: 'places',
  component: 'Place',
  description: 'A place. Fields that were not requested, or are empty, are omitted.',
  fields: {
    id: field(text('16 hexadecimal digits.'), (location) => location.id),
    full_name: field(
      text('Name with the surrounding places: `Munich, Bavaria, Germany`.'),
      (location) => location.name,
    ),
    contained_within: field(
      Type.Array(Type.String(), { description: 'Ids of the places that contain it.' }),
      (location) => (location.type === 'COUNTRIES' ? undefined : [countryLocationId(location.countryCode)]),
    ),
    country: field(text('Name of the country.'), (location) => countryName(location.countryCode)),
    country_code: field(text('ISO 3166-1 alpha-2.'), (location) => location.countryCode),
    geo: field(PlaceGeo, (location) => {
      const box = boxOfLocation(location)
      return (
        box && {
          type: 'Feature' as const,
          bbox: [box.west, box.south, box.east, box.north],
          geometry: { type: 'Point' as const, coordinates: [...centerOf(box)] },
          properties: {},
        }
      )
    }),
    name: field(text('Name only.'), (location) => location.name.split(',')[0]),
    place_type: field(
      choice(
        ['poi', 'neighborhood', 'city', 'admin', 'country', 'unknown'],
        'Type of the place.',
        'PlaceType',
      ),
      (location) => TYPES[location.type],
    ),
  },
  defaults: ['id', 'full_name'],
  required: ['id', 'full_name'],
  lookups: {
    id: {
      async load(ids) {
        await locationsReady()
        return ids.flatMap((locationId) => locationById(locationId) ?? [])
      },
      keyOf: (location) => location.id,
    },
  },
})
