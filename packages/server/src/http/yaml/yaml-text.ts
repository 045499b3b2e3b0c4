import { yamlLibrary } from './yaml-library.ts'

/** A document as YAML. */
export function yamlText(document: unknown): string {
  return yamlFromJson(JSON.stringify(document))
}

/** Text of JSON as YAML. */
export function yamlFromJson(json: string): string {
  return yamlLibrary().stringify(JSON.parse(json), { lineWidth: 0 })
}
