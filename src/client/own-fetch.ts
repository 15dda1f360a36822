/**
 * A `fetch` that trusts a certificate authority, whose PEM is given, in addition to none: the CA of
 * a Plaza on this machine. It needs Node: browsers trust what their system trusts.
 */
export function fetchTrusting(ca: string): { fetch: typeof fetch; close(): Promise<void> } {
  let loaded: Promise<Loaded> | undefined
  const load = () => {
    loaded ??= import('undici').then(({ Agent, fetch }) => ({
      agent: new Agent({ connect: { ca }, bodyTimeout: 0, headersTimeout: 0 }),
      fetch: fetch as unknown as typeof globalThis.fetch,
    }))
    return loaded
  }
  return {
    async fetch(input, init) {
      const { agent, fetch } = await load()
      return fetch(input, { ...init, dispatcher: agent } as RequestInit)
    },
    async close() {
      await (await loaded)?.agent.destroy()
    },
  }
}

interface Loaded {
  agent: { destroy(): Promise<void> }
  fetch: typeof fetch
}
