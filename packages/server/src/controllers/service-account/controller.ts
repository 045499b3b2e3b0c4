import { abortable } from '@hykube/machinery/base'
import { runController, WorkQueue } from '@hykube/runtime/controller'
import { Informer, refFromKey, refToKey } from '@hykube/runtime/informer'
import { type ControllerContext, coreResource, watchFailure } from '../context.ts'
import type { Namespaces } from '../namespaces.ts'
import { createDefaultServiceAccount, defaultServiceAccount } from './reconcile.ts'

/** Creates the service account `default` in every namespace, and again when it is deleted. */
export async function runServiceAccountController(
  context: ControllerContext,
  namespaces: Namespaces,
  signal: AbortSignal,
): Promise<void> {
  const { clientFor, clock, logger } = context
  const queue = new WorkQueue({ clock })
  const accounts = new Informer<true>({
    client: clientFor('*'),
    at: coreResource('serviceaccounts'),
    fieldSelector: `metadata.name=${defaultServiceAccount}`,
    form: 'metadata',
    keep: () => true,
    clock,
    onFailure: watchFailure(context, 'service-account'),
  })
  accounts.on(({ kind, ref }) => {
    if (kind === 'deleted') queue.add(refToKey({ ...ref, namespace: '', name: ref.namespace }))
  })
  const reconcile = async (key: string) => {
    const namespace = refFromKey(key)
    const { cluster, name } = namespace
    if (namespaces.get(namespace) !== 'active') return undefined
    if (accounts.get({ cluster, namespace: name, name: defaultServiceAccount })) return undefined
    await createDefaultServiceAccount(clientFor(cluster), name, signal)
    return undefined
  }
  const following = accounts.run(signal)
  // Missing accounts are known only when both informers have synced.
  await abortable(Promise.all([namespaces.synced, accounts.synced]), signal).catch(() => {})
  const unlisten = namespaces.on(({ ref, value }) => {
    if (value === 'active') queue.add(refToKey(ref))
  })
  await Promise.all([
    runController({ name: 'service-account', queue, reconcile, workers: 4, logger }, signal),
    following,
  ])
  unlisten()
}
