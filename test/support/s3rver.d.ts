// The server of the S3 protocol that tests run on comes without types: what of it is used here.
declare module '@20minutes/s3rver' {
  import type { AddressInfo } from 'node:net'

  interface Options {
    address: string
    port: number
    silent: boolean
    directory: string
    vhostBuckets: boolean
    configureBuckets: readonly { name: string }[]
  }

  export default class S3rver {
    constructor(options: Options)
    run(): Promise<AddressInfo>
    close(): Promise<void>
    readonly httpServer: { closeAllConnections(): void }
  }
}
