import type { Step } from '../step.ts'
import { compileSteps } from '../step.ts'

/** The steps of the endpoint itself, which its protocol gave it. */
export const ownSteps: Step = {
  name: 'own steps',
  compile: (endpoint, services) => compileSteps(endpoint.steps, endpoint, services),
}
