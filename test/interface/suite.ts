import { after, before } from 'node:test'
import { checkComplete } from './support/complete.ts'
import type { Area } from './support/exchange.ts'
import { run } from './support/run.ts'
import { openWorld, type World } from './support/world.ts'

/** The files of the suite, each of which tests some areas. */
export const PARTS = ['core', 'content', 'ads'] as const
export type Part = (typeof PARTS)[number]

/**
 * The interface, literally: requests and the replies that it promises. Imports nothing from Plaza,
 * so it can test any server: one that it starts, or the one whose ready file `PLAZA_READY_FILE`
 * names. The part that ends last checks that the parts together omit nothing.
 */
export function interfaceTests(part: Part, areas: readonly Area[]): void {
  let world: World
  before(async () => {
    world = await openWorld(areas.flatMap(callersIn))
  })
  after(() => world?.close())
  for (const area of areas) run(area, () => world)
  checkComplete(part, PARTS, () => world)
}

const callersIn = ({ as, rows }: Area): string[] => [
  as,
  ...rows.flatMap((row) => ('send' in row ? row.as : row.needs) ?? []),
]
