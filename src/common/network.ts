import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An IPv6 site has a whole network of this size to choose addresses from. */
const SITE_BITS = 64

/**
 * Whose address it is, for counting: all addresses of an IPv6 site count as one. IPv4 addresses, also mapped ones, count
 * each. A proxy may send what is no address: it counts as it is.
 */
export function networkOf(address: string): string {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const site = ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%')[0]}/${SITE_BITS}`)
  return `${site.toString()}/${SITE_BITS}`
}
