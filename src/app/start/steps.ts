import type { AuthenticationServices } from '../../identity/auth/authenticate.ts'
import type { Enrollment } from '../../identity/auth/authorize.ts'
import { authentication, authorization, sendAccessLevel } from '../../identity/auth/steps.ts'
import type { Step } from '../../platform/http/contract.ts'
import { openBody, readBody, readForm } from '../../platform/http/steps/body.ts'
import { countCall } from '../../platform/http/steps/count-call.ts'
import { handle, ownSteps } from '../../platform/http/steps/handle.ts'
import { identify } from '../../platform/http/steps/identify.ts'
import { readParameters, readPath } from '../../platform/http/steps/parameters.ts'
import { send } from '../../platform/http/steps/send.ts'
import { ownTurn, shareTurn } from '../../platform/http/steps/turns.ts'
import type { FaultSteps } from '../../workbench/faults/steps.ts'

/**
 * The pipeline of a request, after the router has found its endpoint. It ends when a step throws an
 * error. A form is read in the middle of authentication, because a signature covers it: after the
 * checks that only need the headers.
 */
export const stepsOf = (
  services: AuthenticationServices & Enrollment,
  faults: FaultSteps | undefined,
): readonly Step[] => [
  readPath,
  identify,
  shareTurn,
  openBody,
  authentication(services),
  readForm,
  ...(faults ? [faults.early] : []),
  sendAccessLevel,
  countCall,
  authorization(services),
  ...(faults ? [faults.late] : []),
  ownSteps,
  readBody,
  readParameters,
  ownTurn,
  handle,
  ...(faults ? [faults.onReply] : []),
  send,
]
