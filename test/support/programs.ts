import { accessSync, chmodSync, constants, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program of this machine is; undefined when it has none of the name. */
export function programOf(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Writes a shell script that can be run. */
export function writeProgram(path: string, lines: string): string {
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}
