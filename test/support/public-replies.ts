import type { JournalRecord } from '../../src/workbench/journal/journal.ts'
import { faultsOfReply } from './public-description.ts'

const MAX_FAULTS = 50
const faults = new Set<string>()

/** Validates what the core API replied. If a reply differs, the process of the test file fails. */
export function checkReply({ route, status, replyBody, replyLength, kind, host }: JournalRecord): void {
  if (host !== 'core' || kind !== 'request' || status === undefined || status >= 300) return
  if (typeof replyBody !== 'string' && !Buffer.isBuffer(replyBody)) return
  // A cut body cannot be read.
  if (Buffer.byteLength(replyBody) !== replyLength || replyLength === 0) return
  const [method = '', path = ''] = route.split(' ')
  for (const fault of faultsOfReply({ method, path, status }, parsed(replyBody.toString())))
    if (faults.size < MAX_FAULTS) faults.add(fault)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

process.on('exit', () => {
  if (faults.size === 0) return
  console.error(`Replies differ from the public description:\n${[...faults].join('\n')}`)
  process.exitCode = 1
})
