import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * When a process started, as text that no other process on this machine has together with its id,
 * which the system may give to another process later. Undefined if there is no such process. On
 * Windows, the same text for every process.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxStart(pid)
  if (process.platform === 'win32') return isAlive(pid) ? 'unknown' : undefined
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const [, state, start] = /^\s*(\S+)\s+(.+?)\s*$/.exec(status === 0 ? stdout : '') ?? []
  return state === undefined || state.startsWith('Z') ? undefined : start
}

/**
 * The time of the start since the boot, in ticks: the 22nd field. The name of the program may
 * contain anything.
 */
const STAT = /^.*\) (\S)(?: \S+){18} (\d+) /s

function linuxStart(pid: number): string | undefined {
  try {
    const [, state, ticks] = STAT.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    // In a container, there may be no process that reaps ended processes.
    if (state === undefined || state === 'Z') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`
  } catch {
    return undefined
  }
}

/** Whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
