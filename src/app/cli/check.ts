import { comparisons } from '../checks/all.ts'
import { type ComparisonResult, compareAll, type Difference } from '../checks/comparison.ts'
import type { Call } from './command.ts'
import { withInstallation } from './installation.ts'

/**
 * `plaza check`: compares every counter and index with its rows. Exits with 1 if something differs
 * and is not repaired.
 */
export async function check({ flags, config }: Call): Promise<number> {
  const [repair, asJson] = [flags.on('repair'), flags.on('json')]
  const found = (one: Difference) => console.log(asJson ? JSON.stringify(one) : asText(one))
  let differing = 0
  await withInstallation(config, async ({ store }) => {
    for await (const one of compareAll(store, comparisons, { repair, found })) {
      differing += one.differing
      console.log(asJson ? JSON.stringify(one) : summaryOf(one, repair))
    }
  })
  return differing > 0 && !repair ? 1 : 0
}

const asText = ({ of, name, stored, expected }: Difference) =>
  `  ${of}: ${name} is ${stored}, not ${expected}`

function summaryOf({ name, compared, differing }: ComparisonResult, repair: boolean): string {
  const done = repair && differing > 0 ? ', repaired' : ''
  return `${name}: ${compared} compared, ${differing} differ${done}`
}
