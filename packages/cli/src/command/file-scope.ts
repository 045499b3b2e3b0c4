import { type Command, Option } from 'commander'
import { addressToText } from './address.ts'
import { readDocuments } from './documents.ts'
import type { Connection } from './host.ts'
import type { PlanSpec } from './plan-api.ts'
import { isProviderGroup, providerOf, typeOf } from './provider-kinds.ts'
import type { Terminal } from './terminal.ts'
import { type WrittenPlace, writeObjects } from './write-objects.ts'

/** Files that are written before it is planned. */
export interface FileFlags {
  readonly filename?: readonly string[]
}

/** What a plan covers, and the namespace it is made in. */
export interface PlanScope {
  readonly spec: PlanSpec
  readonly namespace: string
}

/** Puts `-f` on a command. */
export function addFileFlag(command: Command): Command {
  return command.addOption(
    new Option(
      '-f, --filename <file>',
      'a file, a directory, or - for what is piped in; may be given several times',
    ).argParser((value, others: readonly string[] | undefined) => [...(others ?? []), value]),
  )
}

/** Writes the files, if there are any, and narrows the plan to what is in them; undefined when that is no resource. */
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

// What is in the files is what shall change, with all it refers to; other people's writes wait for their own plan.
function narrowed(spec: PlanSpec, written: readonly WrittenPlace[], home: string): PlanScope | undefined {
  const resources = written.filter(({ at }) => isProviderGroup(at.group))
  const namespaces = [...new Set(resources.map(({ at }) => at.namespace ?? home))]
  const namespace = namespaces.length === 1 ? namespaces[0]! : home
  const isChosen = spec.targets !== undefined || spec.selector !== undefined || spec.kinds !== undefined
  if (isChosen) return { spec, namespace }
  if (resources.length === 0) return undefined
  const targets = resources.map(({ at, kind }) =>
    addressToText({
      // Another Provider may have the same type.
      provider: providerOf(at.group),
      data: at.group.startsWith('data.'),
      type: typeOf(kind),
      name: at.name,
      ...(at.namespace !== namespace && { namespace: at.namespace! }),
    }),
  )
  return { spec: { ...spec, targets, ...(namespaces.length > 1 && { allNamespaces: true }) }, namespace }
}
