import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ParseAddressOptions, type ProviderAddress, parseProviderAddress } from './provider-address.ts'
import { SourceError } from './source-error.ts'

/** What a Provider's `source` says: an address that somebody serves, or a file or directory of this machine. */
export type ProviderSource =
  | { readonly kind: 'address'; readonly address: ProviderAddress }
  | { readonly kind: 'path'; readonly path: string }

/** Reads a source: `[host/]namespace/type`, `file:///DIR` or an absolute path. Throws SourceError in words. */
export function parseProviderSource(text: string, options: ParseAddressOptions): ProviderSource {
  if (/^file:/i.test(text)) return { kind: 'path', path: pathFromUrl(text) }
  if (isAbsolute(text)) return { kind: 'path', path: text }
  if (/^\.{1,2}[\\/]/.test(text))
    throw new SourceError(`cannot read the provider's source ${JSON.stringify(text)}: a path must begin with /`)
  return { kind: 'address', address: parseProviderAddress(text, options) }
}

function pathFromUrl(text: string): string {
  try {
    return fileURLToPath(text)
  } catch (cause) {
    throw new SourceError(
      `cannot read the provider's source ${JSON.stringify(text)}: ${(cause as Error).message}; write file:///DIR`,
    )
  }
}
