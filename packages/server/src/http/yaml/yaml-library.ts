import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

/** The YAML library, loaded by the first who needs it: it is a tenth of what a server loads, and programs speak JSON. */
export function yamlLibrary(): typeof Yaml {
  library ??= createRequire(import.meta.url)('yaml') as typeof Yaml
  return library
}

let library: typeof Yaml | undefined
