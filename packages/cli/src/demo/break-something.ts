import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Changes the simulated cloud by hand: resizes machines and deletes a bucket. Returns a description of each change. */
export function breakSomething(world: string): readonly string[] {
  const machines = filesOf(world, 'sim_instance').slice(0, 2)
  for (const file of machines) {
    const machine = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    writeFileSync(file, JSON.stringify({ ...machine, size: 'enormous' }))
  }
  const [bucket] = filesOf(world, 'sim_bucket')
  if (bucket !== undefined) rmSync(bucket)
  return [`Resized ${machines.length} machines to "enormous".`, ...(bucket === undefined ? [] : ['Deleted a bucket.'])]
}

function filesOf(world: string, type: string): string[] {
  const directory = join(world, type)
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(directory, name))
}
