import type { KubernetesObject } from '@hykube/machinery/object'
import type { Client } from '@hykube/runtime/client'
import { coreResource } from '../context.ts'
import { unlessImpossible } from '../service-account/reconcile.ts'

/** The ConfigMap that holds the authority of the server's certificate. */
export const rootCaName = 'kube-root-ca.crt'

/** Whether a ConfigMap holds the authority and nothing else. */
export function holdsRootCa({ data }: KubernetesObject, certificate: string): boolean {
  const entries = Object.entries((data as Record<string, string> | undefined) ?? {})
  return entries.length === 1 && entries[0]![0] === 'ca.crt' && entries[0]![1] === certificate
}

/** Makes the ConfigMap of a namespace, or what it holds, what it should be. */
export async function restoreRootCa(
  client: Client,
  namespace: string,
  certificate: string,
  signal: AbortSignal,
): Promise<void> {
  const at = { ...coreResource('configmaps'), namespace }
  const data = { 'ca.crt': certificate }
  const current = await client.find({ ...at, name: rootCaName }, { signal })
  if (current === undefined) {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: rootCaName, namespace }, data }
    return unlessImpossible(client.create(at, object, { signal }))
  }
  if (holdsRootCa(current, certificate)) return
  const operations = [{ op: 'add', path: '/data', value: data }]
  await unlessImpossible(client.patch({ ...at, name: rootCaName }, { kind: 'json', operations }, { signal }))
}
