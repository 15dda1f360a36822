import { plainText, yesOrNo } from './readers.ts'

/** How one setting is parsed and described. */
export interface Option<Value> {
  /**
   * The name of the flag, without dashes. The environment variable and the member of a config file
   * are derived from it.
   */
  flag: string
  takes: string
  describe: string
  /** The default, as the table shows it. */
  fallback: Value
  fallbackText?: string
  read(text: string): Value
  /** The text of an object that a program passes, which `read` reads. */
  textOf?(value: NonNullable<Value>): string
  /** Flags without a value. */
  isSwitch?: boolean
  secret?: boolean
  /**
   * The setting whose value the file of this setting holds, so that the value appears neither on
   * the command line nor in the environment.
   */
  contentOf?: string
}

const unset = undefined as string | undefined

export const option = <Value>(declared: Option<Value>) => declared
export const text = (
  declared: Omit<Option<string | undefined>, 'fallback' | 'read'> & { read?: (text: string) => string },
) => option<string | undefined>({ fallback: unset, read: plainText, ...declared })
export const toggle = (flag: string, describe: string) =>
  option({ flag, takes: '', describe, fallback: false, read: yesOrNo, isSwitch: true })

export const fileOf = (name: string, flag: string) =>
  text({
    flag: `${flag}-file`,
    takes: 'FILE',
    describe: `A file that holds the value of --${flag}.`,
    contentOf: name,
  })
