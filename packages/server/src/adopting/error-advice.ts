import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'
import type { Block, NestedBlock } from '@hykube/tfplugin/schema'
import type { Path } from '@hykube/tfplugin/value'

/** The problem that an error of a provider reports, and the attributes that it names, as paths without indexes such as `disk.kind`. */
export interface ErrorAdvice {
  /** `few`: one of them must be configured; `all`: each of them must be; `many`: not all of them may be; `wrong`: the first is not accepted. */
  readonly kind: 'few' | 'all' | 'many' | 'wrong'
  readonly names: readonly string[]
}

/**
 * Reads which attributes an error is about and what is wrong with them. Providers report this in text only: the messages of
 * terraform-plugin-sdk, of terraform-plugin-framework-validators, and similar ones of a provider's own.
 */
export function adviceOf(block: Block, { summary, detail = '', attribute = [] }: ProviderDiagnostic): ErrorAdvice {
  const own = nameOf(attribute)
  const text = `${summary}: ${detail}`
  const names = [...new Set([...(own === '' ? [] : [own]), ...namesIn(text)])].filter((name) => isKnown(block, name))
  return { kind: kindOf(text), names }
}

function kindOf(text: string): ErrorAdvice['kind'] {
  if (/\bno attribute specified\b/i.test(text)) return 'few'
  if (tooMany.test(text)) return 'many'
  if (
    /\ball of\b|\bmust be (configured|specified|set) together\b|\bmust (also )?be (configured|specified|set) when\b/i.test(
      text,
    )
  )
    return 'all'
  return /\bone of\b|\bat least one\b/i.test(text)
    ? 'few'
    : /\b(required|missing|must be specified)\b/i.test(text)
      ? 'all'
      : 'wrong'
}

const tooMany =
  /\bonly one\b|\bconflict|\bcannot be (configured|specified|set|used)|\bcan't be (configured|specified|set|used)|\bmutually exclusive|\bnot allowed\b|\bmust not be\b/i

// Names stand in quotes or in a list in brackets, because a word such as `size` may be no name. Indexes stand between names.
function namesIn(text: string): string[] {
  const quoted = [...text.matchAll(/"([^"]+)"|`([^`]+)`|\[([^\]]+)\]/g)]
  return quoted
    .flatMap(([, a, b, c]) => (a ?? b ?? c ?? '').split(/[\s,]+/))
    .map((name) => name.replaceAll(/["'`<]|\[[^\]]*\]/g, '').replaceAll(/\.\d+(?=\.|$)/g, ''))
}

function nameOf(path: Path): string {
  return path.flatMap((step) => (step.kind === 'attribute' ? [step.name] : [])).join('.')
}

function isKnown(block: Block, path: string): boolean {
  let { attributes, blocks } = block
  for (const name of path.split('.')) {
    const attribute = attributes.find((each) => each.name === name)
    const nested: NestedBlock | undefined = blocks.find((each) => each.name === name)
    if (attribute === undefined && nested === undefined) return false
    attributes = nested?.block.attributes ?? (attribute?.shape.kind === 'nested' ? attribute.shape.attributes : [])
    blocks = nested?.block.blocks ?? []
  }
  return true
}
