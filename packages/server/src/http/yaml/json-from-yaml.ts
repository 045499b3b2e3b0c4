import { messageOf } from '@hykube/machinery/base'
import { numberFromText } from '@hykube/machinery/json'
import { badRequest } from '@hykube/machinery/status'
import { yamlLibrary } from './yaml-library.ts'

/** Limit of alias expansions, against documents that grow exponentially. */
const maximumAliases = 100

/**
 * Converts YAML to JSON text as Kubernetes does: one document, with YAML 1.1's booleans. Throws 400 when it is invalid.
 */
export function jsonFromYaml(bytes: Uint8Array): string {
  const document = yamlLibrary().parseDocument(textOf(bytes), {
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    intAsBigInt: true,
    schema: 'yaml-1.1',
  })
  const problem = document.errors[0]
  if (problem !== undefined) throw badRequest(`yaml: ${placed(problem.message)}`)
  try {
    const value: unknown = document.toJS({ maxAliasCount: maximumAliases })
    return JSON.stringify(value, plain) ?? 'null'
  } catch (error) {
    throw badRequest(`yaml: ${messageOf(error)}`)
  }
}

// The library's message ends its first line with the position and shows the source in the lines that follow.
function placed(message: string): string {
  const [first = ''] = message.split('\n', 1)
  const [, problem, line] = / *(.*) at line (\d+), column \d+:?$/.exec(first) ?? []
  return problem === undefined ? first : `line ${line}: ${problem}`
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('yaml: invalid leading UTF-8 octet')
  }
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return numberFromText(value.toString())
  return value
}
