import { abortable } from '@hykube/machinery/base'
import { runController, WorkQueue } from '@hykube/runtime/controller'
import { Informer, refFromKey, refToKey } from '@hykube/runtime/informer'
import { type ControllerContext, coreResource, watchFailure } from '../context.ts'
import type { Namespaces } from '../namespaces.ts'
import { holdsRootCa, restoreRootCa, rootCaName } from './reconcile.ts'

/**
 * Maintains the ConfigMap with the server's CA certificate in every namespace, and restores it when deleted or changed.
 */
export async function runRootCaController(
  context: ControllerContext,
  namespaces: Namespaces,
  /** CA certificate in PEM. */
  certificate: string,
  signal: AbortSignal,
): Promise<void> {
  const { clientFor, clock, logger } = context
  const queue = new WorkQueue({ clock })
  const configMaps = new Informer<'right' | 'wrong'>({
    client: clientFor('*'),
    at: coreResource('configmaps'),
    fieldSelector: `metadata.name=${rootCaName}`,
    keep: (object) => (holdsRootCa(object, certificate) ? 'right' : 'wrong'),
    clock,
    onFailure: watchFailure(context, 'root-ca'),
  })
  configMaps.on(({ ref, value }) => {
    if (value !== 'right') queue.add(refToKey({ ...ref, namespace: '', name: ref.namespace }))
  })
  const reconcile = async (key: string) => {
    const namespace = refFromKey(key)
    const { cluster, name } = namespace
    if (namespaces.get(namespace) !== 'active') return undefined
    if (configMaps.get({ cluster, namespace: name, name: rootCaName }) === 'right') return undefined
    await restoreRootCa(clientFor(cluster), name, certificate, signal)
    return undefined
  }
  const following = configMaps.run(signal)
  await abortable(Promise.all([namespaces.synced, configMaps.synced]), signal).catch(() => {})
  const unlisten = namespaces.on(({ ref, value }) => {
    if (value === 'active') queue.add(refToKey(ref))
  })
  await Promise.all([runController({ name: 'root-ca', queue, reconcile, workers: 4, logger }, signal), following])
  unlisten()
}
