import { CommandError, UsageError } from '../host/failure.ts'
import { type StateResource, stateAddress } from './state-file.ts'

/** One module call of a module path: its name and instance key. */
export interface ModuleStep {
  readonly name: string
  readonly key?: string
}

/** The module calls of `module.net.module.zone["eu"]`. */
export function moduleSteps(module: string): readonly ModuleStep[] {
  return [...module.matchAll(/module\.([\w-]+)(?:\[(?:(\d+)|("(?:[^"\\]|\\.)*"))\])?/g)].map(
    ([, name = '', index, text]) => {
      const key = index ?? (text === undefined ? undefined : (JSON.parse(text) as string))
      return { name, ...(key !== undefined && { key }) }
    },
  )
}

/**
 * The name of the object that a resource becomes: the names and keys of its modules and its own name, joined by dashes, in
 * lower case, with dashes in place of characters that names cannot have.
 */
export function objectName({ module, name }: Pick<StateResource, 'module' | 'name'>): string {
  const steps = moduleSteps(module).flatMap((step) => [step.name, ...(step.key === undefined ? [] : [step.key])])
  return [...steps, name]
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}

/** The names of all objects; `given` overrides. Equal names of one type are a failure. */
export function objectNames(
  resources: readonly StateResource[],
  given: ReadonlyMap<string, string>,
): ReadonlyMap<StateResource, string> {
  const names = new Map(resources.map((each) => [each, given.get(stateAddress(each)) ?? objectName(each)]))
  const taken = Map.groupBy(names, ([{ type }, name]) => `${type} ${name}`)
  const problems = [...taken.values()].flatMap((same) => {
    const [[{ type }, name]] = same as [[StateResource, string]]
    if (name === '' || name.length > 253) return [`${stateAddress(same[0]![0])}: cannot derive a valid object name`]
    if (same.length === 1) return []
    return [
      `${type} ${JSON.stringify(name)}: ${same.map(([each]) => `${stateAddress(each)} (${each.file})`).join(', ')}`,
    ]
  })
  if (problems.length > 0)
    throw new CommandError(
      `several resources would become the same object:\n  ${problems.join('\n  ')}`,
      "Choose names:  --name 'ADDRESS=NAME', once for each",
    )
  return names
}

/** Parses `KEY=VALUE` at the last equals sign, because module keys may contain one. */
export function pairsFrom(flag: string, texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text): [string, string] => {
      const at = text.lastIndexOf('=')
      if (at <= 0 || at === text.length - 1) throw new UsageError(`${flag} ${text}: expected KEY=VALUE`)
      return [text.slice(0, at), text.slice(at + 1)]
    }),
  )
}
