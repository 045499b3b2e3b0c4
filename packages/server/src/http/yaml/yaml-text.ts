import { yamlLibrary } from './yaml-library.ts'

/** A document as YAML. */
export function yamlText(document: unknown): string {
  return yamlFromJson(JSON.stringify(document))
}

/** Text of JSON as YAML, fields in the order of their names, as Kubernetes writes them. */
export function yamlFromJson(json: string): string {
  return yamlLibrary().stringify(JSON.parse(json), { lineWidth: 0, sortMapEntries: true })
}
