import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ParseAddressOptions, type ProviderAddress, parseProviderAddress } from './provider-address.ts'
import { SourceError } from './source-error.ts'

/** A Provider's `source`: an address of a registry or mirror, or a file or directory of this machine. */
export type ProviderSource =
  | { readonly kind: 'address'; readonly address: ProviderAddress }
  | { readonly kind: 'path'; readonly path: string }

/** Parses `[host/]namespace/type`, `file:///DIR` or an absolute path. Throws SourceError. */
export function parseProviderSource(text: string, options: ParseAddressOptions): ProviderSource {
  if (/^file:/i.test(text)) return { kind: 'path', path: pathFromUrl(text) }
  if (isAbsolute(text)) return { kind: 'path', path: text }
  if (/^\.{1,2}[\\/]/.test(text))
    throw new SourceError(`cannot parse the provider source ${JSON.stringify(text)}: a path must begin with /`)
  return { kind: 'address', address: parseProviderAddress(text, options) }
}

function pathFromUrl(text: string): string {
  try {
    return fileURLToPath(text)
  } catch (cause) {
    throw new SourceError(
      `cannot parse the provider source ${JSON.stringify(text)}: ${(cause as Error).message}; write file:///DIR`,
    )
  }
}
