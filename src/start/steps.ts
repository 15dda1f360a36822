import type { Step } from '../http/contract.ts'
import { authentication, authorization, tellAccess } from '../auth/steps.ts'
import type { Enrollment } from '../auth/authorize.ts'
import type { AuthenticationServices } from '../auth/authenticate.ts'
import { openBody, readBody, readForm } from '../http/steps/body.ts'
import { countCall } from '../http/steps/count-call.ts'
import { handle } from '../http/steps/handle.ts'
import { identify } from '../http/steps/identify.ts'
import { ownSteps } from '../http/steps/own-steps.ts'
import { ownTurn } from '../http/steps/own-turn.ts'
import { readParameters, readPath } from '../http/steps/parameters.ts'
import { send } from '../http/steps/send.ts'
import { shareTurn } from '../http/steps/share-turn.ts'

/**
 * The pipeline of a request, after the router has found its endpoint. It ends when a step throws an error. A form is
 * read in the middle of authentication, because a signature covers it: after the checks that only need the headers.
 */
export const stepsOf = (services: AuthenticationServices & Enrollment): readonly Step[] => [
  readPath,
  identify,
  shareTurn,
  openBody,
  authentication(services),
  readForm,
  tellAccess,
  countCall,
  authorization(services),
  ownSteps,
  readBody,
  readParameters,
  ownTurn,
  handle,
  send,
]
