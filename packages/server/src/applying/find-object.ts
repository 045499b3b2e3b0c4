import type { InstanceState } from '../model/index.ts'
import {
  type Importing,
  importRequestFor,
  judgeImport,
  type ProviderPort,
  type ResourceInstance,
  refreshState,
} from '../terraform/index.ts'

/** The result of searching a resource by its identity. */
export type FoundObject =
  | { readonly kind: 'found'; readonly state: InstanceState }
  | { readonly kind: 'absent' }
  /** The provider could not tell. */
  | { readonly kind: 'unclear'; readonly message: string }

/** Searches a resource by an id or identity that was known before its creation. Rejects when the provider could not be called. */
export async function findObject(
  instance: ResourceInstance,
  target: Importing,
  port: ProviderPort,
): Promise<FoundObject> {
  const response = await port.importResourceState(importRequestFor(instance, target))
  const hasErrors = response.diagnostics.some(({ severity }) => severity === 'error')
  if (!hasErrors && response.importedResources.every(({ state }) => state === null)) return { kind: 'absent' }
  const imported = judgeImport(instance, target, response)
  if (imported.kind !== 'imported') return unclear(imported)
  const read = await refreshState(instance, imported.state, port)
  if (read.kind !== 'refreshed') return unclear(read)
  return read.state === undefined ? { kind: 'absent' } : { kind: 'found', state: read.state }
}

function unclear({
  diagnostics,
}: {
  readonly diagnostics: readonly { summary: string; detail?: string }[]
}): FoundObject {
  const [first] = diagnostics
  return { kind: 'unclear', message: [first?.summary, first?.detail].filter(Boolean).join(': ') }
}
