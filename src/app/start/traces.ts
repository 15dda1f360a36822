import type { Config } from '../../platform/config/config.ts'
import type { EndedCall } from '../../platform/outbound/call.ts'
import { errorCode } from '../../platform/storage/atomic-file.ts'
import type { Journal } from '../../workbench/journal/journal.ts'
import type { Traces } from '../../workbench/traces/traces.ts'

const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
]

/** The traces of this process; undefined if they are not asked for. */
export async function openTraces({ traces: endpoint }: Config): Promise<Traces | undefined> {
  if (endpoint === undefined) return undefined
  const { openTraces: open } = await import('../../workbench/traces/traces.ts').catch((error: unknown) => {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(`--traces needs packages that are not installed. Run: npm install ${PACKAGES.join(' ')}`)
  })
  return open(endpoint)
}

/** Receives the calls to URLs of users; undefined if nothing observes them. */
export const observerOf = (journal: Journal | undefined, traces: Traces | undefined) =>
  journal || traces
    ? (call: EndedCall) => {
        journal?.addCall(call)
        traces?.addCall(call)
      }
    : undefined
