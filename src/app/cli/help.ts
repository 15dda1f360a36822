import { variableOf } from '../../platform/config/config.ts'
import type { Command } from './command.ts'
import { settingsOf, shownFlags } from './command.ts'
import { commands } from './commands.ts'

const EXIT_CODES = 'Exit codes: 0 success, 1 failure, 2 usage error.'

/** What `plaza help` prints. */
export function generalHelp(): string {
  const lines = commands.map(
    ({ name, takes, summary }) => [takes ? `${name} ${takes}` : name, summary] as const,
  )
  return [
    'Usage: plaza [command] [flags]',
    '',
    'Commands:',
    ...columns([...lines, ['help [command]', 'Explain a command and its flags.']]),
    '',
    'Getting started: run "plaza start", and in another terminal "plaza listen --register".',
    EXIT_CODES,
  ].join('\n')
}

/** What `plaza help start` prints. */
export function commandHelp(command: Command): string {
  const own = shownFlags(command).map(
    ({ flag, short, takes, describe, many, isRequired }) =>
      [
        `${short ? `-${short}, ` : ''}--${flag}${takes ? ` ${takes}` : ''}`,
        `${describe}${isRequired ? ' Required.' : ''}${many ? ' May be repeated.' : ''}`,
      ] as const,
  )
  const settings = settingsOf(command).map((setting) => {
    const { flag, takes, describe, fallback, fallbackText, isSwitch } = setting as typeof setting & {
      fallbackText?: string
      isSwitch?: boolean
    }
    const value = fallbackText ?? (isSwitch || fallback === undefined ? '' : String(fallback))
    return [
      `--${flag}${takes ? ` ${takes}` : ''}`,
      value === '' ? describe : `${describe} [${value}]`,
    ] as const
  })
  return [
    `Usage: plaza ${[command.name, command.takes, '[flags]'].filter(Boolean).join(' ')}`,
    '',
    command.summary,
    ...(command.details ? ['', command.details] : []),
    ...(own.length > 0 ? ['', 'Flags:', ...columns(own)] : []),
    ...(settings.length > 0
      ? [
          '',
          `Settings (also in the environment, as ${variableOf('log-level')}, or in --config FILE):`,
          ...columns(settings),
        ]
      : []),
    '',
    EXIT_CODES,
  ].join('\n')
}

const WIDEST = 28

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(WIDEST, Math.max(...rows.map(([left]) => left.length)))
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  )
}
