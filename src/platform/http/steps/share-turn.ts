import { endOfTurn } from '../../common/turn.ts'
import type { Step } from '../contract.ts'

/** Requests of one turn of the event loop are handled together and share a snapshot and a write to the nonce journal. */
export const shareTurn: Step = { name: 'share turn', compile: () => () => endOfTurn() }
