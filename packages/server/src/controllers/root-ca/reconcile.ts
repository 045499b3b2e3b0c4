import type { KubernetesObject } from '@hykube/machinery/object'
import type { Client } from '@hykube/runtime/client'
import { coreResource } from '../context.ts'
import { ignoringConflicts } from '../service-account/reconcile.ts'

/** ConfigMap with the server's CA certificate. */
export const rootCaName = 'kube-root-ca.crt'

/** Returns true when a ConfigMap holds the certificate and nothing else. */
export function holdsRootCa({ data }: KubernetesObject, certificate: string): boolean {
  const entries = Object.entries((data as Record<string, string> | undefined) ?? {})
  return entries.length === 1 && entries[0]![0] === 'ca.crt' && entries[0]![1] === certificate
}

/** Creates or repairs the ConfigMap of a namespace. */
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
    return ignoringConflicts(client.create(at, object, { signal }))
  }
  if (holdsRootCa(current, certificate)) return
  const operations = [{ op: 'add', path: '/data', value: data }]
  await ignoringConflicts(client.patch({ ...at, name: rootCaName }, { kind: 'json', operations }, { signal }))
}
