import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

/** Loads the YAML library on first use: it is a tenth of the code a server loads, and most clients send JSON. */
export function yamlLibrary(): typeof Yaml {
  library ??= createRequire(import.meta.url)('yaml') as typeof Yaml
  return library
}

let library: typeof Yaml | undefined
