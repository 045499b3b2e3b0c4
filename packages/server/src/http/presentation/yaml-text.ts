import { yamlLibrary } from '../yaml-library.ts'

/** A document as YAML. */
export function yamlText(document: unknown): string {
  return yamlLibrary().stringify(JSON.parse(JSON.stringify(document)), { lineWidth: 0 })
}
