import { type Client, failedWith } from '@hykube/runtime/client'
import { coreResource } from '../context.ts'

/** Service account of pods that name none. */
export const defaultServiceAccount = 'default'

/** Creates the default service account of a namespace, unless it exists or the namespace is terminating. */
export async function createDefaultServiceAccount(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<void> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: defaultServiceAccount, namespace } }
  await ignoringConflicts(client.create({ ...coreResource('serviceaccounts'), namespace }, account, { signal }))
}

/** Awaits a creation and ignores that the object exists already or its namespace is terminating or gone. */
export async function ignoringConflicts(creation: Promise<unknown>): Promise<void> {
  try {
    await creation
  } catch (error) {
    const terminating =
      failedWith(error, 'Forbidden') && error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating')
    if (!terminating && !failedWith(error, 'AlreadyExists', 'NotFound')) throw error
  }
}
