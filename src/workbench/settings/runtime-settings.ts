import type { Logger } from 'pino'
import type { Bus } from '../../platform/cluster/bus.ts'
import {
  type Config,
  options,
  RUNTIME_SETTINGS,
  type RuntimeSetting,
  readRuntimeSettings,
} from '../../platform/config/config.ts'

const CHANNEL = 'settings'

interface RuntimeSettingsOptions {
  /** The settings that every part reads at each use. They are changed in place. */
  readonly config: Config
  /** Those of the start, which stay as they are. */
  readonly atStart: Config
  readonly bus: Bus
  readonly log: Logger
}

/** A setting that can be changed while Plaza runs. */
export interface ShownSetting {
  readonly value: unknown
  /** Whether it differs from that of the start. */
  readonly isChanged: boolean
}

/**
 * The settings that can be changed while Plaza runs, on all nodes that run. A start begins with its
 * own again.
 */
export class RuntimeSettings {
  readonly #options: RuntimeSettingsOptions
  readonly #subscription: Disposable

  constructor(options: RuntimeSettingsOptions) {
    this.#options = options
    this.#subscription = options.bus.subscribe(CHANNEL, (data) =>
      this.#apply(readRuntimeSettings(JSON.parse(Buffer.from(data).toString()) as object as SettingsInput)),
    )
  }

  stop(): void {
    this.#subscription[Symbol.dispose]()
  }

  /** By their flags. */
  read(): Record<string, ShownSetting> {
    const { config, atStart } = this.#options
    return Object.fromEntries(
      RUNTIME_SETTINGS.map((name) => [
        options[name].flag,
        { value: shownValue(config[name]), isChanged: config[name] !== atStart[name] },
      ]),
    )
  }

  /**
   * Changes settings, by their flags, on all nodes.
   * @throws ConfigError A value is wrong. Then nothing is changed.
   */
  change(given: SettingsInput): void {
    const read = readRuntimeSettings(given)
    this.#options.bus.publish(CHANNEL, Buffer.from(JSON.stringify(given)))
    this.#apply(read)
  }

  #apply(changes: Partial<Config>): void {
    const { config, log } = this.#options
    for (const [name, value] of Object.entries(changes)) {
      if (config[name as RuntimeSetting] === value) continue
      Object.assign(config, { [name]: value })
      log.info({ setting: options[name as RuntimeSetting].flag }, 'a setting was changed')
    }
    if (changes.logLevel !== undefined) log.level = changes.logLevel
  }
}

type SettingsInput = Readonly<Record<string, unknown>>

/** JSON has no infinity. */
const shownValue = (value: unknown) => (value === Number.POSITIVE_INFINITY ? 'off' : value)
