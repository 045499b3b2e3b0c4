import { numberFromText } from '@hykube/machinery/json'
import { badRequest } from '@hykube/machinery/status'
import { yamlLibrary } from './yaml-library.ts'

/** How many values aliases may make of a document: enough for people, too few for bombs. */
const maximumAliases = 100

/** Reads YAML as Kubernetes does: one document, YAML 1.1's booleans, and then whatever JSON would make of it. 400 when it is none. */
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
    throw badRequest(`yaml: ${error instanceof Error ? error.message : String(error)}`)
  }
}

// The library ends its first line with the place, and shows it in those that follow.
function placed(message: string): string {
  const [told = ''] = message.split('\n', 1)
  const [, problem, line] = / *(.*) at line (\d+), column \d+:?$/.exec(told) ?? []
  return problem === undefined ? told : `line ${line}: ${problem}`
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
