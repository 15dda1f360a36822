import type { Config } from '../../platform/config/config.ts'
import { servesAdminApi } from '../../platform/config/operation.ts'
import type { Naming } from '../../platform/http/contract.ts'
import { FaultControl } from '../../workbench/faults/control.ts'
import { Faults } from '../../workbench/faults/faults.ts'
import type { FaultyEndpoint } from '../../workbench/faults/rule.ts'
import { type FaultSteps, faultSteps } from '../../workbench/faults/steps.ts'
import { endpoints } from '../endpoints.ts'
import { documentedErrors } from '../openapi/documented.ts'
import type { Base } from './base.ts'

/** The fault rules of this process, and what they need. */
export interface FaultParts {
  readonly faults: Faults
  readonly control: FaultControl
  readonly steps: FaultSteps
}

/** Puts the stored fault rules in force; undefined where the admin API is not served. */
export async function openFaults(
  config: Config,
  { clock, store, log }: Pick<Base, 'clock' | 'store' | 'log'>,
  naming: Naming,
): Promise<FaultParts | undefined> {
  if (!servesAdminApi(config)) return undefined
  const faults = new Faults(clock)
  const known = faultyEndpoints(naming)
  const control = new FaultControl({
    faults,
    store,
    clock,
    endpoints: known,
    onError: (error) => log.error({ err: error }, 'the fault rules could not be read'),
  })
  await control.load()
  return { faults, control, steps: faultSteps({ faults, endpoints: known, takesHeader: !config.hardened }) }
}

/** Every endpoint with its documented errors. */
export const faultyEndpoints = (naming: Naming): FaultyEndpoint[] =>
  endpoints.map((endpoint) => {
    let errors: ReturnType<typeof documentedErrors> | undefined
    const { id, host } = endpoint
    return {
      id,
      route: `${endpoint.method} ${endpoint.path}`,
      hosts: host === 'ads' ? ['ads', 'sandbox'] : [host],
      isStream: endpoint.replyKind === 'stream',
      overLimit: endpoint.overLimit,
      errors() {
        errors ??= documentedErrors(endpoint, naming)
        return errors
      },
    }
  })
