import { type Client, failedWith } from '@hykube/runtime/client'
import { coreResource } from '../context.ts'

/** The account that pods run as when they name none. */
export const defaultServiceAccount = 'default'

/** Makes the default account of a namespace, unless it is there or the namespace goes. */
export async function createDefaultServiceAccount(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<void> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: defaultServiceAccount, namespace } }
  await unlessImpossible(client.create({ ...coreResource('serviceaccounts'), namespace }, account, { signal }))
}

/** Waits for a creation that has nothing to do where the object is there, or its namespace goes or is gone. */
export async function unlessImpossible(creation: Promise<unknown>): Promise<void> {
  try {
    await creation
  } catch (error) {
    const terminating =
      failedWith(error, 'Forbidden') && error.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating')
    if (!terminating && !failedWith(error, 'AlreadyExists', 'NotFound')) throw error
  }
}
