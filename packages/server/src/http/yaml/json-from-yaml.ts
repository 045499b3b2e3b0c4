import { numberFromText } from '@hykube/machinery/json'
import { badRequest } from '@hykube/machinery/status'
import { yamlLibrary } from './yaml-library.ts'

/** How many values aliases may make of a document: enough for people, too few for bombs. */
const maximumAliases = 100

/** Reads YAML as Kubernetes does: one document, YAML 1.1's booleans, and then whatever JSON would make of it. */
export function jsonFromYaml(bytes: Uint8Array): string {
  const document = yamlLibrary().parseDocument(textOf(bytes), {
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    intAsBigInt: true,
    schema: 'yaml-1.1',
  })
  const problem = document.errors[0]
  if (problem !== undefined) throw badRequest(`error converting YAML to JSON: yaml: ${problem.message}`)
  try {
    const value: unknown = document.toJS({ maxAliasCount: maximumAliases })
    return JSON.stringify(value, plain) ?? 'null'
  } catch (error) {
    throw badRequest(`error converting YAML to JSON: yaml: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw badRequest('error converting YAML to JSON: yaml: invalid leading UTF-8 octet')
  }
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return numberFromText(value.toString())
  return value
}
