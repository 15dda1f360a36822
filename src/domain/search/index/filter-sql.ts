import type { BranchFilter } from './branches.ts'

const EARTH_RADIUS_KM = 6371.0088

/**
 * A filter as SQL on the columns of a document `d`, for both databases. Its numbers are literals,
 * because they come from parsed queries as numbers.
 */
export function filterSql(filter: BranchFilter): string {
  const sql = `(${conditionOf(filter)})`
  // A document without a place is outside every area.
  return filter.negated ? `not coalesce(${sql}, false)` : sql
}

function conditionOf(filter: BranchFilter): string {
  switch (filter.kind) {
    case 'at least':
      return `d.${filter.number} >= ${literal(filter.value)}`
    case 'inside': {
      const { west, south, east, north } = filter.area
      return [
        `d.west >= ${literal(west)}`,
        `d.east <= ${literal(east)}`,
        `d.south >= ${literal(south)}`,
        `d.north <= ${literal(north)}`,
      ].join(' and ')
    }
    case 'near':
      return (['west', 'east'] as const)
        .flatMap((x) => (['south', 'north'] as const).map((y) => withinSql(filter, `d.${x}`, `d.${y}`)))
        .join(' and ')
  }
}

/** Whether a corner is in a circle, by the haversine formula. */
function withinSql(
  { longitude, latitude, km }: Extract<BranchFilter, { kind: 'near' }>,
  x: string,
  y: string,
): string {
  const sine = (difference: string) => `power(sin(radians(${difference}) / 2), 2)`
  const dx = sine(`${x} - (${literal(longitude)})`)
  const dy = sine(`${y} - (${literal(latitude)})`)
  const cosines = `cos(radians(${literal(latitude)})) * cos(radians(${y}))`
  return `${dy} + ${cosines} * ${dx} <= ${literal(Math.sin(km / EARTH_RADIUS_KM / 2) ** 2)}`
}

function literal(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`${value} is no number that SQL can hold`)
  return Number.isInteger(value) ? value.toFixed(0) : value.toFixed(15)
}
