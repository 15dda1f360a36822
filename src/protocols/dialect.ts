import type { Renderer } from '../http/protocol.ts'

export type { Rendered, Naming } from '../http/protocol.ts'

/** Writes refusals in the words of one part of the platform. */
export type Dialect = Renderer
