import type { Step } from '../contract.ts'
import { compileSteps } from '../step.ts'

/** The endpoint's own steps, set by its protocol. */
export const ownSteps: Step = {
  name: 'own steps',
  compile: (endpoint, services) => compileSteps(endpoint.steps, endpoint, services),
}
