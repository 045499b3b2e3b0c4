import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What somebody does by hand, past all rules: makes machines bigger, and throws a bucket away. Says what it did. */
export function breakSomething(world: string): readonly string[] {
  const machines = filesOf(world, 'sim_instance').slice(0, 2)
  for (const file of machines) {
    const machine = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    writeFileSync(file, JSON.stringify({ ...machine, size: 'enormous' }))
  }
  const [bucket] = filesOf(world, 'sim_bucket')
  if (bucket !== undefined) rmSync(bucket)
  return [`made ${machines.length} machines "enormous"`, ...(bucket === undefined ? [] : ['threw a bucket away'])]
}

function filesOf(world: string, type: string): string[] {
  const directory = join(world, type)
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(directory, name))
}
