/** The settings with which a command finds the store of a Plaza. */
export const STORE = [
  'data',
  'database-url',
  'database-url-file',
  'database-schema',
  'master-key',
  'master-key-file',
  'log-level',
]

/** The settings with which a command finds a running Plaza, or the store of one that is stopped. */
export const ADMIN = [...STORE, 'ready-file']

/** The settings with which a command finds a running Plaza and its keys. */
export const RUNNING = [...STORE, 'ready-file', 'vocabulary']

/** The settings with which a command finds the process of a running Plaza. */
export const PROCESS = ['data', 'ready-file', 'log-level']
