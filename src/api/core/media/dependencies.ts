import type { MediaDependencies } from '../../../domain/media/dependencies.ts'
import type { Naming } from '../../../platform/protocols/protocols.ts'

/** What handlers of uploads and files receive. */
export interface UploadDependencies extends MediaDependencies {
  readonly naming: Naming
}
