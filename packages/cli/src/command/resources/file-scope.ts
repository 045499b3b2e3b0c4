import { addressToText } from '@hykube/machinery/object'
import type { PlanSpec } from '@hykube/machinery/plan-api'
import type { Command } from 'commander'
import { repeatable } from '../host/flags.ts'
import type { Connection } from '../host/host.ts'
import type { Terminal } from '../host/terminal.ts'
import { readDocuments } from './documents.ts'
import { isProviderGroup, providerOf, typeOf } from './provider-kinds.ts'
import { type WrittenPlace, writeObjects } from './write-objects.ts'

/** Files that are written before planning. */
export interface FileFlags {
  readonly filename?: readonly string[]
}

/** The spec of a plan and its namespace. */
export interface PlanScope {
  readonly spec: PlanSpec
  readonly namespace: string
}

export function addFileFlag(command: Command): Command {
  return command.addOption(
    repeatable('-f, --filename <file>', 'file or directory to write first, or - for standard input'),
  )
}

/** Writes the files, if any, and limits the plan to their resources; undefined when they contain none. */
export async function writeFiles(
  connection: Connection,
  terminal: Terminal,
  { filename }: FileFlags,
  spec: PlanSpec,
): Promise<PlanScope | undefined> {
  const { client, namespace } = connection
  if (filename === undefined) return { spec, namespace }
  const written = await writeObjects(await readDocuments(filename, terminal), { client, namespace, terminal })
  terminal.err(`Wrote ${written.length} object${written.length === 1 ? '' : 's'}.\n`)
  return narrowed(spec, written, namespace)
}

// The plan covers the resources of the files and their dependencies. Edits of other users wait for their own plan.
function narrowed(spec: PlanSpec, written: readonly WrittenPlace[], home: string): PlanScope | undefined {
  const resources = written.filter(({ at }) => isProviderGroup(at.group))
  const namespaces = [...new Set(resources.map(({ at }) => at.namespace ?? home))]
  const namespace = namespaces.length === 1 ? namespaces[0]! : home
  const isChosen = spec.targets !== undefined || spec.selector !== undefined || spec.kinds !== undefined
  if (isChosen) return { spec, namespace }
  if (resources.length === 0) return undefined
  const targets = resources.map(({ at, kind }) =>
    addressToText({
      // Several Providers may have the same type.
      provider: providerOf(at.group),
      data: at.group.startsWith('data.'),
      type: typeOf(kind),
      name: at.name,
      ...(at.namespace !== namespace && { namespace: at.namespace! }),
    }),
  )
  return { spec: { ...spec, targets, ...(namespaces.length > 1 && { allNamespaces: true }) }, namespace }
}
