import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'
import { embeddedIPv4, isPublicAddress } from './address-class.ts'

/** Thrown for an address that the server must not connect to. */
export class EgressRefused extends Error {
  readonly code = 'EGRESS_REFUSED'

  constructor(message: string) {
    super(message)
    this.name = 'EgressRefused'
  }
}

/**
 * Guards requests that users cause (SSRF): HTTPS only, and no loopback, link-local, private or other special addresses,
 * unless the operator allowed the host or network (`--egress-allow`). Allowed hosts may also use plain HTTP. Call
 * `checkUrl` for each URL including redirects, and connect with `lookup`, so that the connection goes to the address
 * that was checked.
 */
export class EgressGuard {
  readonly #hosts = new Set<string>()
  readonly #networks = new BlockList()
  readonly #trustedHosts: ReadonlySet<string>

  /**
   * `allow` contains networks (`10.0.0.0/8`), addresses and host names; `proxies` the hosts of the operator's own
   * proxies.
   */
  constructor(allow: readonly string[] = [], proxies: readonly string[] = []) {
    for (const text of allow) this.#allow(text)
    this.#trustedHosts = new Set(proxies)
  }

  /**
   * Throws EgressRefused unless the scheme is allowed, and, for a host written as an IP address, the address is
   * allowed.
   */
  checkUrl(url: URL): void {
    const host = hostOf(url)
    const isAllowed = this.#isAllowedHost(host)
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowed))
      throw new EgressRefused(`${url.protocol}//${url.host}${url.pathname} is not HTTPS; ${advice(host)}`)
    if (isIP(host) !== 0 && !isAllowed && !isPublicAddress(host)) throw refused(host, host)
  }

  /** Resolves a host for a connection; fails when one of its addresses is not allowed. */
  readonly lookup = (
    host: string,
    options: LookupOptions,
    done: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
  ): void => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, [])
      const bad = addresses.find(({ address }) => !this.#mayReach(host, address))
      if (bad !== undefined) return done(refused(host, bad.address), [])
      if (options.all === true) return done(null, addresses)
      const [first] = addresses
      done(null, first!.address, first!.family)
    })
  }

  #mayReach(host: string, address: string): boolean {
    return (
      isPublicAddress(address) ||
      this.#isAllowedHost(host) ||
      this.#isAllowedAddress(address) ||
      this.#trustedHosts.has(host)
    )
  }

  #isAllowedHost(host: string): boolean {
    return this.#hosts.has(host.toLowerCase()) || (isIP(host) !== 0 && this.#isAllowedAddress(host))
  }

  #isAllowedAddress(address: string): boolean {
    const embedded = isIP(address) === 6 ? embeddedIPv4(address) : undefined
    const judged = embedded ?? address
    return this.#networks.check(judged, isIP(judged) === 6 ? 'ipv6' : 'ipv4')
  }

  #allow(text: string): void {
    const [, net, bits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
    const version = net === undefined ? 0 : isIP(net)
    if (version !== 0) {
      const most = version === 6 ? 128 : 32
      if (bits !== undefined && Number(bits) > most) throw wrong(text)
      this.#networks.addSubnet(net!, Number(bits ?? most), version === 6 ? 'ipv6' : 'ipv4')
    } else if (
      /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text) &&
      !/^[\d.]+$/.test(text)
    ) {
      this.#hosts.add(text.toLowerCase())
    } else throw wrong(text)
  }
}

function wrong(text: string): Error {
  return new Error(
    `--egress-allow is ${JSON.stringify(text)}, and must be a network (10.0.0.0/8), an address or a host name`,
  )
}

function refused(host: string, address: string): EgressRefused {
  const where = host === address ? address : `${host} (${address})`
  return new EgressRefused(`${where} is not a public address; ${advice(host)}`)
}

function advice(host: string): string {
  return `an operator may allow it with --egress-allow ${host}`
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
