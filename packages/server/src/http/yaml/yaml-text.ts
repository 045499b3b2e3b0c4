import { yamlLibrary } from './yaml-library.ts'

/** Formats a document as YAML. */
export function yamlText(document: unknown): string {
  return yamlFromJson(JSON.stringify(document))
}

/** Converts JSON text to YAML with sorted fields, as Kubernetes writes them. */
export function yamlFromJson(json: string): string {
  return yamlLibrary().stringify(JSON.parse(json), { lineWidth: 0, sortMapEntries: true })
}
