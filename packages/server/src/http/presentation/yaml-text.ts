import { stringify } from 'yaml'

/** A document as YAML. */
export function yamlText(document: unknown): string {
  return stringify(JSON.parse(JSON.stringify(document)), { lineWidth: 0 })
}
