import { failedWith } from '@hykube/runtime/client'
import { addressFromText } from './address.ts'
import { CommandError } from './failure.ts'
import type { Connection } from './host.ts'
import type { PlanSpec } from './plan-api.ts'
import { getResource, locate, providerKinds } from './provider-kinds.ts'
import { closest } from './suggestion.ts'
import type { Terminal } from './terminal.ts'

/** Refuses kinds that no provider has, and names one that looks like them: a plan of none would only say that nothing changes. */
export async function checkKinds({ client }: Connection, { kinds: wanted = [] }: PlanSpec): Promise<void> {
  if (wanted.length === 0) return
  const known = (await providerKinds(client)).flatMap(({ kind, type }) => [kind, type])
  const unknown = wanted.find((kind) => !known.includes(kind))
  if (unknown === undefined) return
  const near = closest(unknown, known)
  throw new CommandError(
    `no installed provider has the kind ${unknown}`,
    ...(near === undefined ? [] : [`Did you mean ${near}?`]),
    'See what is installed:  hykube providers types',
  )
}

/** A plan that was refused because of an address: the failure that names what looks like it. */
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

/** Tells which targets of a plan that comes to nothing do not exist: nobody asks for those on purpose. */
export async function tellMissing(
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
      // It is a hint: whoever may not look gets none.
      if (!(error instanceof CommandError)) continue
      terminal.err(`Warning: ${[error.message, ...error.advice].join('\n  ')}\n`)
    }
  }
}

function addressesOf({ targets = [], replace = [] }: PlanSpec): readonly string[] {
  return [...targets, ...replace]
}
