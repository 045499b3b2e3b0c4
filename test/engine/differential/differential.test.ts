import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TerraformRun } from '../../e2e/providers/terraform-run.ts'
import { describeWith } from '../../real-parts/index.ts'
import { lineOf, type Scenario, SharedSim } from '../scenario.ts'
import { World } from '../world.ts'
import { type Case, type Declared, diceOf, randomCase } from './configuration.ts'
import { type Names, named, normalChanges, type ShownChange } from './normal-form.ts'

const executable = fileURLToPath(new URL('../../../providers/sim/bin/terraform-provider-sim', import.meta.url))
const seed = Number(process.env.HYKUBE_DIFFERENTIAL_SEED ?? 1)
const rounds = Number(process.env.HYKUBE_DIFFERENTIAL_ROUNDS ?? 1)
const casesAtOnce = 30
// The long form also fails half-way, moves between one and many, and changes outside what is deleted.
const isThorough = process.env.HYKUBE_DIFFERENTIAL_THOROUGH === '1'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

describeWith(['terraform'], 'the same configurations through Hykube and real terraform', (terraform) => {
  for (let round = 0; round < rounds; round++)
    test(`${casesAtOnce} random configurations and edits, seed ${seed + round}`, { timeout: 600_000 }, async () => {
      const dice = diceOf(seed + round)
      const cases = Array.from({ length: casesAtOnce }, (_, i) => randomCase(`c${i}`, dice, isThorough))
      const world = join(shared.sim.directory, `hykube-${round}.db`)
      const s = await shared.scenario({ config: { world: `sqlite:${world}` } })
      const [ours, theirs] = [
        new Hykube(s, new World(world)),
        new Terraform(new TerraformRun(terraform, { sim: executable })),
      ]
      for (const side of [ours, theirs]) await side.write(cases.flatMap(({ before }) => before))
      await compareHalfWay(cases, ours, theirs, [], isThorough ? refusals[dice(refusals.length)] : undefined)
      for (const side of [ours, theirs]) await meddle(side, cases)
      for (const side of [ours, theirs]) await side.write(cases.flatMap(({ after }) => after))
      // At most eight: with more, terraform 1.11.4 left out triggered replacements in some runs; why is not established.
      const replaced = cases.flatMap((each) => each.replaced.filter((address) => isIn(each.after, address)))
      await compareHalfWay(
        cases,
        ours,
        theirs,
        replaced.slice(0, 8),
        isThorough ? refusals[dice(refusals.length)] : undefined,
      )
      for (const side of [ours, theirs]) await side.write([])
      await compare(cases, ours, theirs, [])
    })
})

/** One of the two that are compared. */
interface Side {
  readonly world: World
  write(all: readonly Declared[]): Promise<void>
  /** Plans and gives the changes. */
  plan(replaced: readonly string[]): Promise<readonly ShownChange[]>
  apply(mayFail: boolean): Promise<void>
  /** The names of what there is, by id. */
  names(): Promise<Names>
}

// What the world refuses half of the time: everything else goes on, and the next plan goes on from there.
const refusals = [
  undefined,
  { verb: 'INSERT', type: 'sim_subnet', text: '10.0.1.0' },
  { verb: 'INSERT', type: 'sim_network', text: '10.0.0.0' },
  { verb: 'INSERT', type: 'sim_instance', text: 'small' },
  { verb: 'INSERT', type: 'sim_bucket', text: '-1' },
  { verb: 'DELETE', type: 'sim_network', text: '10.0.0.0' },
  { verb: 'DELETE', type: 'sim_instance', text: 'small' },
  { verb: 'DELETE', type: 'sim_bucket', text: 'b' },
] as const

type Refused = Parameters<World['refuse']>[0]

async function compareHalfWay(
  cases: readonly Case[],
  ours: Side,
  theirs: Side,
  replaced: readonly string[],
  refused: Refused,
): Promise<void> {
  await compare(cases, ours, theirs, replaced, refused)
  if (refused !== undefined) await compare(cases, ours, theirs, [])
}

async function compare(
  cases: readonly Case[],
  ours: Side,
  theirs: Side,
  replaced: readonly string[],
  refused?: Refused,
): Promise<void> {
  const shownBy = async (side: Side) => normalChanges(await side.plan(replaced), await side.names())
  const changes = await shownBy(ours)
  const expected = await shownBy(theirs)
  for (const i of cases.keys()) {
    const mine = (all: readonly object[]) => all.filter((each) => isOf(each, i))
    // The short form first: it says at one look what differs.
    expect(mine(changes).map(inShort), `case ${i}`).toEqual(mine(expected).map(inShort))
    expect(mine(changes), `case ${i}`).toEqual(mine(expected))
  }
  for (const side of [ours, theirs]) {
    side.world.refuse(refused)
    await side.apply(refused !== undefined)
    side.world.refuse(undefined)
  }
  expect(await shownWorld(ours)).toEqual(await shownWorld(theirs))
}

function inShort(change: object): string {
  const { address, actions, reason } = change as { address: string; actions: string; reason: string }
  return `${actions} ${address} ${reason}`
}

function isOf(change: object, index: number): boolean {
  return new RegExp(`\\.c${index}[a-z]`).test((change as ShownChange).address)
}

function isIn(all: readonly Declared[], address: string): boolean {
  return all.some(
    (each) => each.address === address && each.spec.count === undefined && each.spec.for_each === undefined,
  )
}

async function shownWorld(side: Side): Promise<readonly string[]> {
  const names = await side.names()
  return side.world
    .all()
    .map(({ type, object }) => `${type} ${JSON.stringify(named(sorted(object), names))}`)
    .map((text) => text.replace(/"(password|endpoint)":"[^"]*"/g, '"$1":"…"'))
    .sort()
}

function sorted(object: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function meddle(side: Side, cases: readonly Case[]): Promise<void> {
  const ids = new Map([...(await side.names())].map(([id, name]) => [name, id]))
  for (const { drifted, gone } of cases) {
    for (const address of drifted) {
      const [type = ''] = address.split('.')
      const id = ids.get(address)
      if (id === undefined) continue
      const changes = {
        sim_network: { name: 'drifted' },
        sim_instance: { size: 'medium' },
        sim_bucket: { tags: { d: 'x' } },
      }[type]
      if (changes !== undefined) side.world.edit(type, id, changes)
    }
    for (const address of gone) if (ids.has(address)) side.world.remove(address.split('.')[0]!, ids.get(address)!)
  }
}

class Hykube implements Side {
  readonly world: World
  readonly #s: Scenario
  readonly #written = new Set<string>()
  #plan: Awaited<ReturnType<Scenario['plan']>> | undefined

  constructor(s: Scenario, world: World) {
    this.#s = s
    this.world = world
  }

  async write(all: readonly Declared[]): Promise<void> {
    const wanted = new Set(all.map(({ address }) => address))
    for (const address of this.#written) if (!wanted.has(address)) await this.#s.delete(address)
    for (const { address, spec } of all) await this.#s.write(address, spec)
    this.#written.clear()
    for (const address of wanted) this.#written.add(address)
  }

  async plan(replaced: readonly string[]): Promise<readonly ShownChange[]> {
    this.#plan = await this.#s.plan({ refresh: 'All', replace: replaced })
    const { resource_changes } = await this.#plan.json()
    const blocked = (await this.#plan.changes()).filter(({ action }) => action === 'blocked' || action === 'deferred')
    expect(blocked.map(({ address, message }) => `${address}: ${message}`)).toEqual([])
    return resource_changes
  }

  async apply(mayFail: boolean): Promise<void> {
    const phase = await this.#plan!.apply()
    if (phase === 'Applied' || phase === 'NoChanges' || mayFail) return
    const left = (await this.#plan!.changes()).filter(({ outcome }) => outcome?.result !== 'applied')
    const how = left.map((each) => `${lineOf(each)}: ${each.outcome?.result} ${each.outcome?.message ?? ''}`)
    expect.fail(`${phase}: ${how.join('\n')}`)
  }

  async names(): Promise<Names> {
    const { estate, kinds } = this.#s.engine.parts
    const names = new Map<string, string>()
    for await (const { node, instance, slot, record } of estate.allStates('root')) {
      const kind = kinds.at('root', node.group, node.resource)
      if (kind === undefined || kind.data || slot !== 'current') continue
      const key = instance === undefined ? '' : `[${JSON.stringify(instance)}]`
      names.set(JSON.parse(record.attributes).id, `${kind.type}.${node.name}${key}`)
    }
    return names
  }
}

class Terraform implements Side {
  readonly world: World
  readonly #run: TerraformRun

  constructor(run: TerraformRun) {
    this.#run = run
    this.world = new World(join(run.directory, 'world.db'))
  }

  async write(all: readonly Declared[]): Promise<void> {
    this.#run.write(`provider "sim" {\n  world = "sqlite:world.db"\n}\n${all.map(({ hcl }) => hcl).join('\n')}`)
  }

  async plan(replaced: readonly string[]): Promise<readonly ShownChange[]> {
    const { code, output } = await this.#run.plan('-out=plan', ...replaced.map((address) => `-replace=${address}`))
    if (code === 1) expect.fail(output.slice(output.indexOf('Error:')))
    const shown = await this.#run.run('show', '-json', 'plan')
    return (
      (JSON.parse(shown.output.slice(shown.output.indexOf('{'))) as { resource_changes?: ShownChange[] })
        .resource_changes ?? []
    )
  }

  async apply(mayFail: boolean): Promise<void> {
    const { code, output } = await this.#run.run('apply', '-input=false', '-parallelism=20', 'plan')
    if (code !== 0 && !mayFail) expect.fail(output.slice(output.indexOf('Error:')))
  }

  async names(): Promise<Names> {
    const { output } = await this.#run.run('show', '-json')
    const state = JSON.parse(output.slice(output.indexOf('{'))) as {
      values?: { root_module?: { resources?: { address: string; mode: string; values: Record<string, unknown> }[] } }
    }
    const names = new Map<string, string>()
    for (const { address, mode, values } of state.values?.root_module?.resources ?? [])
      if (mode === 'managed') names.set(String(values.id), address)
    return names
  }
}
