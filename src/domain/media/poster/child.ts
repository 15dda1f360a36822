import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** The limits of a program. */
export interface ProcessLimits {
  cpuSeconds: number
  /** Address space, where the system can limit it. */
  memoryBytes: number
  /** Bytes of standard output. */
  outputBytes: number
}

/** Bytes of an error message that are kept. */
const MAX_REASON_BYTES = 1_000
const BYTES_PER_KIB = 1024

/** Sets the limits and becomes the program, which can neither write files nor leave a core dump. */
const UNDER_LIMITS =
  'for limit in "-t $1" "-v $2" "-f 0" "-c 0"; do ulimit $limit 2>/dev/null || :; done; shift 2; exec "$@"'

/**
 * Runs a program in a child process, without environment and input, and resolves to its output.
 * @throws Error if it cannot be started, fails, prints too much or exceeds a limit; the signal's
 *   reason if aborted
 */
export async function runLimited(
  command: readonly string[],
  { cpuSeconds, memoryBytes, outputBytes }: ProcessLimits,
  signal: AbortSignal,
): Promise<Buffer> {
  signal.throwIfAborted()
  const numbers = [cpuSeconds, Math.floor(memoryBytes / BYTES_PER_KIB)].map(String)
  const child = spawn('/bin/sh', ['-c', UNDER_LIMITS, 'plaza', ...numbers, ...command], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Requests have priority.
  if (child.pid !== undefined) lowerPriority(child.pid)
  const kill = () => child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  process.once('exit', kill)

  const output: Buffer[] = []
  let bytes = 0
  let reason = ''
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > outputBytes) kill()
    else output.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    reason = (reason + chunk.toString()).slice(0, MAX_REASON_BYTES)
  })
  const ended = new Promise<Buffer>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, killed) => {
      if (signal.aborted) reject(signal.reason)
      else if (bytes > outputBytes) reject(new Error(`it printed more than ${outputBytes} bytes`))
      else if (code === 0) resolve(Buffer.concat(output))
      else reject(new Error(`it ended with ${killed ?? `status ${code}`}: ${reason.trim()}`))
    })
  })
  return ended.finally(() => {
    signal.removeEventListener('abort', kill)
    process.off('exit', kill)
  })
}

/** The process has ended already. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {}
}
