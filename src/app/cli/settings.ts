/** The settings with which a command finds the store of a Plaza. */
const STORE = [
  'data',
  'database-url',
  'database-url-file',
  'database-schema',
  'master-key',
  'master-key-file',
  'log-level',
]
/** The settings with which a command finds a running Plaza and its keys. */
const RUNNING = [...STORE, 'ready-file', 'vocabulary']

const SETTINGS: Readonly<Record<string, readonly string[] | 'all'>> = {
  'deliveries show': [...STORE, 'vocabulary'],
  emit: [...STORE, 'vocabulary'],
  console: [...STORE, 'ready-file'],
  start: 'all',
  stop: ['data', 'ready-file', 'log-level'],
  listen: RUNNING,
  request: RUNNING,
  'import products': [...STORE, 'fetch-images'],
  'import posts': [...STORE, 'vocabulary'],
  'generate posts': [...STORE, 'vocabulary'],
  'seed check': ['log-level'],
  'query explain': ['vocabulary', 'log-level'],
  'vocabulary check': ['log-level'],
  openapi: ['vocabulary', 'core-url', 'ads-url', 'ads-sandbox-url', 'problem-base', 'log-level'],
  completion: ['log-level'],
  version: ['log-level'],
}

/** The settings that a command accepts, by flag; those of `start` are all. */
export const settingFlagsOf = (command: string) => SETTINGS[command] ?? STORE
