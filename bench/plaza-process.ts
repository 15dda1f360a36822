import { writeFileSync } from 'node:fs'
import { readConfig } from '../src/config.ts'
import { startServer } from '../src/server.ts'

const config = readConfig(process.argv.slice(3))
const plaza = await startServer(config)
if (config.readyFile) writeFileSync(config.readyFile, JSON.stringify(plaza.urls))
process.once('SIGTERM', () => void plaza.close().then(() => process.exit(0)))
