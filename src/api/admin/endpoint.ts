import type { Dictionary } from '../../domain/annotations/dictionary.ts'
import type { PlazaTerms } from '../../identity/auth/endpoint.ts'
import type { Credentials } from '../../identity/tokens/credentials.ts'
import type { UserDependencies } from '../../identity/users/users.ts'
import type { Gate } from '../../platform/common/gate.ts'
import type { Config } from '../../platform/config/config.ts'
import { endpointsOf } from '../../platform/http/endpoint.ts'
import { type Naming, protocolOf } from '../../platform/protocols/protocols.ts'
import type { FileStore } from '../../platform/storage/files/files.ts'
import type { Sealer } from '../../platform/storage/seal.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Check } from '../../workbench/checks/check.ts'
import type { ClockControl } from '../../workbench/clock/clock-control.ts'
import type { ExplorerServices } from '../../workbench/explorer/explorer.ts'
import type { FaultControl } from '../../workbench/faults/control.ts'
import type { PostGenerator } from '../../workbench/imports/post-imports.ts'
import type { ExplainServices } from '../../workbench/journal/explain.ts'
import type { Journal } from '../../workbench/journal/journal.ts'
import type { ResendServices } from '../../workbench/journal/resend.ts'
import type { KeyRotation } from '../../workbench/key-rotation.ts'
import type { RuntimeSettings } from '../../workbench/settings/runtime-settings.ts'
import type { SignatureServices } from '../../workbench/signature/check.ts'
import type { Snapshots } from '../../workbench/snapshots/snapshots.ts'
import type { LogReader } from '../../workbench/status/logs.ts'
import type { StatusOptions } from '../../workbench/status/status.ts'
import type { AdsDependencies } from '../ads/dependencies.ts'
import type { WebhookDependencies } from '../core/webhooks/endpoint.ts'
import type { Measure } from './metrics/measurements.ts'

/** The journal, and what its endpoints need. */
export interface JournalParts {
  readonly journal: Journal
  /** Calls that wait for an entry, and streams of entries. */
  readonly waits: Gate
  readonly followers: Gate
  readonly explaining: ExplainServices
  readonly resending: ResendServices
  /** The header in which replies name the request. */
  readonly requestIdHeader: string
}

/**
 * What handlers receive that only work on the data of Plaza. A command has it too while no Plaza
 * runs.
 */
export interface DataDependencies extends Readonly<UserDependencies> {
  readonly store: Store
  readonly sealer: Sealer
  readonly naming: Naming
  /** Finds names and topics in posts. */
  readonly dictionary: Dictionary
  /** Media files. */
  readonly files: Pick<FileStore, 'read'>
  /** The origin from which media files are fetched. */
  readonly mediaOrigin: string
}

/** What handlers of the admin API receive. */
export interface AdminDependencies
  extends DataDependencies,
    Omit<AdsDependencies, 'config'>,
    Omit<WebhookDependencies, 'config'> {
  readonly config: Config
  readonly credentials: Pick<Credentials, 'appById'>
  readonly files: FileStore
  /** A key to sign in to the pages of the console. */
  newConsoleKey(): string
  readonly settings: RuntimeSettings
  readonly logs: LogReader
  readonly status: StatusOptions
  readonly clockControl: ClockControl
  readonly snapshots: Snapshots
  readonly faults: FaultControl
  /** Undefined if the journal is switched off. */
  readonly journal: JournalParts | undefined
  /** By listener. */
  readonly signatures: ReadonlyMap<string, SignatureServices>
  readonly measure: Measure
  readonly explorer: ExplorerServices
  /**
   * Reads the vocabulary again. Resolves to why it cannot be used, in a sentence; then the present
   * one stays.
   */
  vocabularyReload(): Promise<string | undefined>
  readonly keyRotation: KeyRotation
  /** One import of posts at a time. */
  readonly imports: Gate
  readonly postGenerator: PostGenerator
  /** One check of counters and indexes at a time. */
  readonly dataChecks: Gate
  readonly checkAll: Check
}

/**
 * Declares an endpoint of the admin API. `auth` is `none`, because access is checked for the whole
 * API before any endpoint is reached (`access.ts`).
 */
export const endpoint = endpointsOf<PlazaTerms<AdminDependencies>>(protocolOf)

/** The same for an endpoint that commands also use while no Plaza runs. */
export const dataEndpoint = endpointsOf<PlazaTerms<DataDependencies>>(protocolOf)

/** What all endpoints of the admin API have in common. */
export const ADMIN = {
  host: 'console',
  source: 'Admin API',
  auth: ['none'],
  errors: ['could not authenticate', 'auth kind not allowed'],
} as const
