import { domainToASCII } from 'node:url'
import { SourceError } from './source-error.ts'

/** A provider's full address. Every part is normalized, so equal addresses have equal texts. */
export interface ProviderAddress {
  /** In ASCII and lower case, with a port unless it is 443. */
  readonly host: string
  readonly namespace: string
  readonly type: string
}

export interface ParseAddressOptions {
  /** The host of addresses without one. */
  readonly defaultHost: string
}

/** Parses `[host/]namespace/type`. Throws SourceError. */
export function parseProviderAddress(text: string, { defaultHost }: ParseAddressOptions): ProviderAddress {
  const parts = text.split('/')
  if (parts.length === 1 && text !== '')
    throw refused(text, `it has no namespace; HashiCorp's providers are written hashicorp/${text}`)
  if (parts.length !== 2 && parts.length !== 3) throw refused(text, 'it must be written [host/]namespace/type')
  const [type, namespace, host = defaultHost] = parts.reverse() as [string, string, string?]
  return {
    host: normalHost(host, text),
    namespace: normalPart(namespace, 'namespace', text),
    type: normalType(type, text),
  }
}

/** The full address, `host/namespace/type`. */
export function addressToText({ host, namespace, type }: ProviderAddress): string {
  return `${host}/${namespace}/${type}`
}

/** Normalizes a host name with an optional port. Throws SourceError. */
export function normalHost(host: string, text: string = host): string {
  const match = /^([^:]+)(?::(\d{1,5}))?$/.exec(host)
  const ascii = match === null ? '' : domainToASCII(match[1]!.toLowerCase())
  const port = match?.[2] === undefined ? undefined : Number(match[2])
  const fits = ascii !== '' && ascii.length <= 253 && ascii.split('.').every((label) => dnsLabel.test(label))
  if (!fits || port === 0 || (port ?? 0) > 65_535) throw refused(text, `${JSON.stringify(host)} is not a host name`)
  return port === undefined || port === 443 ? ascii : `${ascii}:${port}`
}

const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const executablePrefix = 'terraform-provider-'

function normalType(given: string, text: string): string {
  const type = normalPart(given, 'type', text)
  if (type.startsWith(executablePrefix))
    throw refused(text, `the type is written without the file's prefix: ${type.slice(executablePrefix.length)}`)
  return type
}

// Terraform's rule: labels as in internationalized DNS, and single underscores inside of them.
function normalPart(given: string, what: string, text: string): string {
  if (given === '') throw refused(text, `its ${what} is empty`)
  if (/[.\s]/.test(given)) throw refused(text, `its ${what} ${JSON.stringify(given)} must not have dots or spaces`)
  const part = given.normalize('NFC').toLowerCase()
  if (!/^[\p{Letter}\p{Mark}\p{Number}_-]+$/u.test(part) || /^[-_]|[-_]$|--|__/.test(part) || part.length > 63)
    throw refused(
      text,
      `its ${what} ${JSON.stringify(given)} must be letters, digits and single dashes or underscores between them`,
    )
  return part
}

function refused(text: string, why: string): SourceError {
  return new SourceError(`cannot parse the provider source ${JSON.stringify(text)}: ${why}`)
}
