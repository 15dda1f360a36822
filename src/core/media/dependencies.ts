import type { MediaDependencies } from '../../media/dependencies.ts'
import type { Naming } from '../../protocols/protocols.ts'

/** What handlers of uploads and files receive. */
export interface UploadDependencies extends MediaDependencies {
  readonly naming: Naming
}
