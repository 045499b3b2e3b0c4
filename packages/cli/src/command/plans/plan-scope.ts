import { similarName } from '@hykube/machinery/base'
import type { PlanSpec } from '@hykube/machinery/plan-api'
import { failedWith } from '@hykube/runtime/client'
import { CommandError } from '../host/failure.ts'
import type { Connection } from '../host/host.ts'
import type { Terminal } from '../host/terminal.ts'
import { addressFromText } from '../resources/address.ts'
import { getResource, locate, providerKinds } from '../resources/provider-kinds.ts'

/** Refuses kinds that no provider serves: a plan of them would only report no changes. */
export async function checkKinds({ client }: Connection, { kinds: wanted = [] }: PlanSpec): Promise<void> {
  if (wanted.length === 0) return
  const known = (await providerKinds(client)).flatMap(({ kind, type }) => [kind, type])
  const unknown = wanted.find((kind) => !known.includes(kind))
  if (unknown === undefined) return
  const near = similarName(unknown, known)
  throw new CommandError(
    `no installed provider has the kind ${unknown}`,
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    'List all types:  hykube providers types',
  )
}

/** Replaces the refusal of an address by a failure that suggests a similar one. */
export async function explainRefusal(
  { client, namespace }: Connection,
  spec: PlanSpec,
  error: unknown,
): Promise<never> {
  if (failedWith(error, 'Invalid'))
    for (const text of addressesOf(spec)) {
      const address = addressFromText(text)
      if (address !== undefined) await locate(client, address, namespace)
    }
  throw error
}

/** Warns about targets that do not exist, when a plan has no changes. */
export async function warnAboutMissing(
  { client, namespace }: Connection,
  terminal: Terminal,
  spec: PlanSpec,
): Promise<void> {
  for (const text of addressesOf(spec)) {
    const address = addressFromText(text)
    if (address === undefined) continue
    try {
      await getResource(client, await locate(client, address, namespace))
    } catch (error) {
      // The warning is a hint: users without permission to read the target get none.
      if (!(error instanceof CommandError)) continue
      terminal.err(`Warning: ${[error.message, ...error.advice].join('\n  ')}\n`)
    }
  }
}

function addressesOf({ targets = [], replace = [] }: PlanSpec): readonly string[] {
  return [...targets, ...replace]
}
