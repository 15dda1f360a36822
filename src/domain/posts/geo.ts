import { Type } from 'typebox'
import { component } from '../../platform/http/schema.ts'
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
  'Where exactly a post was written.',
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
