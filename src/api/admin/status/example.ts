import { EXAMPLE as CLOCK } from '../clock/reading.ts'

export const EXAMPLE = {
  version: '0.1.0',
  node_version: '24.11.1',
  pid: 4711,
  uptime_seconds: 60,
  mode: 'data' as const,
  hardened: false,
  node: 0,
  ready: true,
  problems: [],
  urls: {
    core: 'https://127.0.0.1:8443',
    ads: 'https://127.0.0.1:8444',
    ads_sandbox: 'https://127.0.0.1:8445',
    console: 'http://127.0.0.1:8440',
  },
  clock: CLOCK,
  consumers: [{ name: 'activities', events: 0, seconds: 0 }],
  tasks: [{ kind: 'refresh news', state: 'waiting', count: 1 }],
  deliveries: { webhooks_waiting: 0 },
  streams: 1,
  rate_limits: 'documented' as const,
  memory: { resident_bytes: 120_000_000, heap_bytes: 40_000_000, external_bytes: 5_000_000 },
  disk: { folder: '/srv/plaza', free_bytes: 50_000_000_000, total_bytes: 100_000_000_000 },
}
