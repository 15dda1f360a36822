import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The network of one IPv6 site. Its owner can use any address in it. */
const SITE_BITS = 64

/**
 * The key under which an address is counted. All addresses of an IPv6 site count as one; each IPv4
 * address, also a mapped one, counts by itself. A value from a proxy that is not an address counts
 * as it is.
 */
export function networkOf(address: string): string {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const site = ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%')[0]}/${SITE_BITS}`)
  return `${site.toString()}/${SITE_BITS}`
}
