import { accessSync, chmodSync, constants, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program on this machine; undefined if it does not exist. */
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

/** Writes an executable shell script. */
export function writeProgram(path: string, lines: string): string {
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}
