import { MAX_NODE } from '../common/ids.ts'
import { fileOf, option, text, toggle } from './option.ts'
import { pattern, plainText, urlOf, wholeNumber } from './readers.ts'

/** Highest node number. The next one is reserved for ids that the command line creates. */
const MAX_SERVER_NODE = MAX_NODE - 1

/** Where a node keeps its data. */
export const dataOptions = {
  data: option({
    flag: 'data',
    takes: 'FOLDER',
    describe: 'Data folder.',
    fallback: './plaza-data',
    read: plainText,
  }),
  memory: toggle('memory', 'Keep all data in memory. It is lost when the process ends.'),
} as const

/** What nodes share, and the key that encrypts their secrets. */
export const sharedOptions = {
  databaseUrl: text({
    flag: 'database-url',
    takes: 'URL',
    describe: 'Use this PostgreSQL database instead of the embedded one.',
    read: urlOf('postgres:', 'postgresql:'),
    secret: true,
  }),
  databaseSchema: option({
    flag: 'database-schema',
    takes: 'NAME',
    describe: 'PostgreSQL schema. Created if it does not exist.',
    fallback: 'plaza',
    read: pattern(/^[a-z_][a-z0-9_]{0,62}$/, 'a lower-case name'),
  }),
  databaseConnections: option({
    flag: 'database-connections',
    takes: 'N',
    describe:
      'Maximum number of connections of a node to PostgreSQL, half of them for writes. The thread that merges audience members uses two more.',
    fallback: 20,
    read: wholeNumber(4, 1_000),
  }),
  redisUrl: text({
    flag: 'redis-url',
    takes: 'URL',
    describe: 'Redis server through which nodes share nonces and rate limits.',
    read: urlOf('redis:', 'rediss:'),
    secret: true,
  }),
  redisPrefix: option({
    flag: 'redis-prefix',
    takes: 'TEXT',
    describe: 'Prefix of all Redis keys.',
    fallback: 'plaza:',
    read: plainText,
  }),
  node: option({
    flag: 'node',
    takes: `0..${MAX_SERVER_NODE}`,
    describe: 'Number of this node, unique within a deployment.',
    fallback: 0,
    read: wholeNumber(0, MAX_SERVER_NODE),
  }),
  masterKey: text({
    flag: 'master-key',
    takes: 'KEY',
    describe:
      'Key that encrypts every stored secret: 32 bytes in hex or base64. If absent, Plaza creates one in the data folder.',
    secret: true,
  }),
  masterKeyFile: fileOf('masterKey', 'master-key'),
  databaseUrlFile: fileOf('databaseUrl', 'database-url'),
  redisUrlFile: fileOf('redisUrl', 'redis-url'),
} as const
