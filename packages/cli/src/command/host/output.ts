import { isUnprintable } from '../../render/index.ts'

/** Encodes a document. */
export async function documentText(document: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(document, undefined, 2)}\n`
  const { Document, visit } = await import('yaml')
  const yaml = new Document(document)
  // YAML resolves escapes only in double quotes.
  visit(yaml, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && isUnprintable(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return yaml.toString({ lineWidth: 0 })
}
