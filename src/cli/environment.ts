import { variableOf } from '../config.ts'

/** What the environment says of a flag that belongs to a command and is no setting. */
export const fromEnvironment = (flag: string, environment: NodeJS.ProcessEnv = process.env) =>
  environment[variableOf(flag)]
