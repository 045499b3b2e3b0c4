import {
  type Importing,
  type InstanceState,
  importRequestFor,
  judgeImport,
  type ProviderPort,
  type ResourceInstance,
  refreshState,
} from '../plan/index.ts'

/** Whether there is an object of an identity. */
export type FoundObject =
  | { readonly kind: 'there'; readonly state: InstanceState }
  | { readonly kind: 'absent' }
  /** The provider could not say. */
  | { readonly kind: 'unclear'; readonly message: string }

/** Looks for an object outside by an identity that was known before it was made. Rejects when the provider could not be asked. */
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
  return read.state === undefined ? { kind: 'absent' } : { kind: 'there', state: read.state }
}

function unclear({
  diagnostics,
}: {
  readonly diagnostics: readonly { summary: string; detail?: string }[]
}): FoundObject {
  const [first] = diagnostics
  return { kind: 'unclear', message: [first?.summary, first?.detail].filter(Boolean).join(': ') }
}
