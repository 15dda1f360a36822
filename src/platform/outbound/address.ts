import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The purpose of an address. Only `public` addresses are reachable across the Internet;
 * `transition` stands for IPv4-in-IPv6 tunnels whose other end is unknown, `invalid` for text that
 * is not an address.
 */
export type AddressKind =
  | 'public'
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'carrier'
  | 'documentation'
  | 'benchmark'
  | 'transition'
  | 'discard'
  | 'multicast'
  | 'broadcast'
  | 'reserved'
  | 'invalid'

type Address = ipaddr.IPv4 | ipaddr.IPv6
/** The first address, and the length of the prefix in bits. */
type Network = [Address, number]

/** An IPv4 or IPv6 address in its strict spelling, without the zone of a scoped address. */
function addressOf(ip: string): Address | undefined {
  // ipaddr.js also accepts octal, hex and short forms, which different parsers interpret as
  // different addresses.
  if (isIP(ip) === 0) return undefined
  const zone = ip.indexOf('%')
  const plain = zone === -1 ? ip : ip.slice(0, zone)
  // It also parses the dotted ::1.2.3.4 as ::ffff:1.2.3.4, which is another address, so it gets
  // only hex.
  const tail = plain.includes(':') ? /[0-9]+(?:\.[0-9]+){3}$/.exec(plain)?.[0] : undefined
  return ipaddr.parse(tail === undefined ? plain : plain.slice(0, -tail.length) + hexGroups(tail))
}

function hexGroups(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number)
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

const contains = (network: Network, address: Address): boolean =>
  address.kind() === network[0].kind() && address.match(network as [ipaddr.IPv6, number])

/** The IPv4 address inside an IPv6 address, starting at a byte. */
const innerOf = (address: Address, from: number): Address =>
  new ipaddr.IPv4(address.toByteArray().slice(from, from + 4))

const network = (text: string): Network => ipaddr.parseCIDR(text)

function table(rows: readonly (readonly [string, AddressKind])[]) {
  return rows.map(([text, kind]) => ({ network: network(text), kind }))
}

/** The first match wins, so an exception precedes the range around it. */
const IPV4 = table([
  ['0.0.0.0/32', 'unspecified'],
  ['0.0.0.0/8', 'reserved'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'carrier'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'transition'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmark'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
])

const IPV6 = table([
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['64:ff9b:1::/48', 'transition'],
  ['100::/64', 'discard'],
  ['2001::/32', 'transition'],
  ['2001:2::/48', 'benchmark'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
])

const GLOBAL_UNICAST = network('2000::/3')
const MAPPED = network('::ffff:0:0/96')
const COMPATIBLE = network('::/96')
const TRANSLATED = network('64:ff9b::/96')
const SIX_TO_FOUR = network('2002::/16')

function kindOfIpv4(address: Address): AddressKind {
  return IPV4.find((range) => contains(range.network, address))?.kind ?? 'public'
}

function kindOfIpv6(address: Address): AddressKind {
  // Packets for a mapped address leave as IPv4, and the well-known translation prefix ends at the
  // IPv4 host.
  if (contains(MAPPED, address) || contains(TRANSLATED, address)) return kindOfIpv4(innerOf(address, 12))
  const listed = IPV6.find((range) => contains(range.network, address))
  if (listed !== undefined) return listed.kind
  // These are obsolete for normal traffic. If the inner address says more, it is named instead.
  if (contains(COMPATIBLE, address)) return innerKind(innerOf(address, 12))
  if (contains(SIX_TO_FOUR, address)) return innerKind(innerOf(address, 2))
  return contains(GLOBAL_UNICAST, address) ? 'public' : 'reserved'
}

function innerKind(address: Address): AddressKind {
  const kind = kindOfIpv4(address)
  return kind === 'public' ? 'transition' : kind
}

/**
 * The purpose of an address, according to the IANA special-purpose registries (RFC 6890 and its
 * successors). Accepts the strict spelling of one IPv4 or IPv6 address, without brackets, with or
 * without a zone (`fe80::1%eth0`). No IPv6 address outside global unicast is `public`, and no
 * address with a zone.
 */
export function classify(ip: string): AddressKind {
  const address = addressOf(ip)
  if (address === undefined) return 'invalid'
  const kind = address.kind() === 'ipv4' ? kindOfIpv4(address) : kindOfIpv6(address)
  return kind === 'public' && ip.includes('%') ? 'reserved' : kind
}

/** The IPv4 address of an IPv4-mapped IPv6 address; any other address unchanged. */
const unmapped = (address: Address): Address => (contains(MAPPED, address) ? innerOf(address, 12) : address)

/**
 * Whether both texts name the same host address, in any spelling; false if either is not an
 * address.
 */
export function sameAddress(one: string, other: string): boolean {
  const a = addressOf(one)
  const b = addressOf(other)
  return a !== undefined && b !== undefined && unmapped(a).toString() === unmapped(b).toString()
}

/** Networks that outgoing calls may reach although they are not public. */
export interface AllowList {
  /**
   * Whether the address is in one of the networks. An IPv4-mapped IPv6 address counts as its IPv4
   * address.
   */
  includes(ip: string): boolean
}

function parseNetwork(text: string): Network {
  const parts = /^([^/%]+)(?:\/(0|[1-9][0-9]{0,2}))?$/.exec(text)
  const address = parts?.[1] === undefined ? undefined : addressOf(parts[1])
  if (address === undefined) throw new Error(`"${text}" is not a network such as 10.0.0.0/8 or fd00::/8`)
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  const width = address.toByteArray().length * 8
  const bits = parts?.[2] === undefined ? width : Number(parts[2])
  if (bits > width) throw new Error(`"${text}" has a prefix longer than ${width} bits`)
  // Silently widening 10.1.2.3/8 to all of 10.0.0.0/8 would allow more than the text seems to say.
  if (kind.networkAddressFromCIDR(`${address}/${bits}`).toString() !== address.toString())
    throw new Error(`"${text}" has address bits set after its prefix`)
  const [, mappedBits] = MAPPED
  if (bits >= mappedBits && contains(MAPPED, address)) return [innerOf(address, 12), bits - mappedBits]
  return [address, bits]
}

/**
 * Parses networks in CIDR form (`127.0.0.0/8`, `::1/128`). An address without a prefix stands for
 * itself.
 * @throws Error names the first text that is not a network, or that has bits set after its prefix
 */
export function parseAllowList(texts: readonly string[]): AllowList {
  const networks = texts.map(parseNetwork)
  return {
    includes(ip) {
      const address = addressOf(ip)
      if (address === undefined) return false
      const plain = unmapped(address)
      return networks.some((candidate) => contains(candidate, plain))
    },
  }
}

/** Whether an outgoing call may go to the address: it is public, or the operator allows it. */
export function mayReach(ip: string, allow: AllowList): boolean {
  return classify(ip) === 'public' || allow.includes(ip)
}
