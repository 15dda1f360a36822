import type { CheckMessage } from '../../workbench/checks/check.ts'
import { followAdmin } from '../admin-client.ts'
import { runCheck } from '../checks/run.ts'
import { runningAdmin } from './admin.ts'
import type { Call } from './command.ts'
import { withInstallation } from './installation.ts'

/**
 * `plaza check`: compares every counter and index with its rows, by the running Plaza or in this
 * process. Exits with 1 if something differs and is not repaired.
 */
export async function check({ flags, config }: Call): Promise<number> {
  const repair = flags.on('repair')
  const output = new Output({ repair, asJson: flags.on('json') })
  const running = await runningAdmin(config)
  if (running) {
    const sent = { method: 'POST', send: JSON.stringify({ repair }) } as const
    for await (const message of followAdmin<CheckMessage>(running, '/check', sent)) output.say(message)
  } else {
    const { signal } = new AbortController()
    await withInstallation(config, ({ store }) =>
      runCheck(store, { repair, signal, say: (message) => output.say(message) }),
    )
  }
  return output.end()
}

/** Prints what a check says. */
class Output {
  readonly #options: { repair: boolean; asJson: boolean }
  #result: CheckMessage['result']
  #failure: string | undefined

  constructor(options: { repair: boolean; asJson: boolean }) {
    this.#options = options
  }

  say({ difference, comparison, result, error }: CheckMessage): void {
    const { asJson } = this.#options
    if (difference) console.log(asJson ? JSON.stringify(difference) : asText(difference))
    if (comparison) console.log(asJson ? JSON.stringify(comparison) : this.#summaryOf(comparison))
    this.#result = result
    this.#failure = error
  }

  /** The exit code. */
  end(): number {
    if (!this.#result)
      throw new Error(this.#failure ?? 'The check ended without a result. Run the same command again.')
    return this.#result.differing > 0 && !this.#options.repair ? 1 : 0
  }

  #summaryOf({ name, compared, differing }: NonNullable<CheckMessage['comparison']>): string {
    const done = this.#options.repair && differing > 0 ? ', repaired' : ''
    return `${name}: ${compared} compared, ${differing} differ${done}`
  }
}

const asText = ({ of, name, stored, expected }: NonNullable<CheckMessage['difference']>) =>
  `  ${of}: ${name} is ${stored}, not ${expected}`
