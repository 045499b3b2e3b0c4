import { type Condition, findCondition, type KubernetesObject } from '@hykube/machinery/object'
import type { Client } from '@hykube/runtime/client'
import { CommandError } from '../host/failure.ts'
import type { Terminal } from '../host/terminal.ts'

/** The place of Provider objects. */
export const providers = { group: 'hykube.io', version: 'v1alpha1', resource: 'providers' } as const

const timeout = 600_000

/** Waits until a Provider that was written is ready, and fails as soon as a condition of this generation states a reason. */
export async function awaitProvider(client: Client, written: KubernetesObject, terminal: Terminal): Promise<void> {
  const { name = '', generation = 0 } = written.metadata ?? {}
  const deadline = terminal.now() + timeout
  for (let round = 0; ; round++) {
    const conditions = conditionsOf(await client.get({ ...providers, name })).filter(
      ({ observedGeneration = 0 }) => observedGeneration >= generation,
    )
    const ready = findCondition(conditions, 'Ready')
    if (ready?.status === 'True') return
    const failure = ['Installed', 'Ready'].map((type) => findCondition(conditions, type)).find(isFailure)
    if (failure !== undefined)
      throw new CommandError(
        `provider ${JSON.stringify(name)} is not ready: ${failure.message}`,
        'The server tries again by itself where that can help. Show its state:  hykube providers list',
      )
    if (terminal.now() > deadline)
      throw new CommandError(`provider ${JSON.stringify(name)} is not ready after ${timeout / 60_000} minutes`)
    if (round === 0) terminal.err(`Waiting for provider ${JSON.stringify(name)} to be ready …\n`)
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}

function isFailure(condition: Condition | undefined): condition is Condition {
  return condition?.status === 'False' && condition.reason !== 'Pending' && condition.reason !== 'Installing'
}

function conditionsOf({ status }: KubernetesObject): readonly Condition[] {
  return (status as { readonly conditions?: readonly Condition[] } | undefined)?.conditions ?? []
}
