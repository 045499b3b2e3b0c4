import { parseArgs } from 'node:util'
import { HykubeEstate, type Taken } from './hykube-estate.ts'
import { Profiler } from './profiler.ts'
import { TerraformEstate } from './terraform-estate.ts'

/**
 * `npm run bench -- plan [COUNT] [--objects] [--single-calls] [--import-state] [--no-peer] [--profile DIR]`: processor
 * time of plans and applies of COUNT resources of the simulated cloud, server and provider together, compared with tofu
 * or terraform and the same provider if installed. The resources are one object with `count`, or COUNT objects with
 * `--objects`. `--single-calls` disables the provider's batch calls, `--import-state` imports a state file of COUNT
 * resources instead, and `--profile` writes a profile of each step.
 */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    objects: { type: 'boolean', default: false },
    'single-calls': { type: 'boolean', default: false },
    'import-state': { type: 'boolean', default: false },
    'no-peer': { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
})
const count = Number(positionals[0] ?? 10_000)
const asObjects = flags.objects
const singleCalls = flags['single-calls']

interface Step {
  readonly step: string
  readonly changes: number
  /** Peak memory of the server so far, in megabytes. */
  readonly peak: number
  readonly hykube: Taken
  peer?: Taken
}

const steps: Step[] = []
await measureHykube()
const peer = flags['no-peer'] || flags['import-state'] ? undefined : await TerraformEstate.find()
if (peer !== undefined) await measurePeer(peer)
print(peer?.name)

async function measureHykube(): Promise<void> {
  const profiler = flags.profile === undefined ? undefined : await Profiler.into(flags.profile)
  const estate = await HykubeEstate.start({ profiler, singleCalls })
  const step = (name: string, changes: number, { cpu, wall }: Taken) => {
    const peak = estate.peakMegabytes
    steps.push({ step: name, changes, peak, hykube: { cpu, wall } })
    process.stderr.write(`hykube: ${name}: ${cpu.toFixed(2)} CPU-s, ${wall.toFixed(2)} s, ${peak.toFixed(0)} MB\n`)
  }
  const plan = async (name: string, spec: object = {}) => {
    const made = await estate.plan(name, spec)
    step(name, made.changes, made)
    return made
  }
  const apply = async (name: string, made: { readonly name: string; readonly changes: number }) =>
    step(name, made.changes, await estate.apply(name, made.name))
  try {
    if (flags['import-state']) return step('import-state', count, await estate.importState(count))
    const write = () => (asObjects ? estate.writeObjects(count, 'a') : estate.writeBatch(count, 'a'))
    step('write', count, await estate.measure('write', write))
    await apply('apply', await plan('first plan'))
    await plan('no-op plan')
    if (asObjects) await estate.changeObject(0, 'b')
    else await estate.writeBatch(count, 'b')
    await apply('apply of it', await plan('plan of one change'))
    if (!asObjects) {
      await estate.writeBatch(count - 1, 'b')
      await apply('apply of one fewer', await plan('plan of one fewer'))
    }
    await plan('refresh all', { refresh: 'All' })
  } finally {
    await estate.close()
  }
}

async function measurePeer(estate: TerraformEstate): Promise<void> {
  const step = (name: string, taken: Taken) => {
    const own = steps.find((each) => each.step === name)
    if (own !== undefined) own.peer = taken
    process.stderr.write(`${estate.name}: ${name}: ${taken.cpu.toFixed(2)} CPU-s, ${taken.wall.toFixed(2)} s\n`)
  }
  try {
    estate.write(count, 'a')
    step('first plan', await estate.plan())
    step('apply', await estate.apply())
    step('no-op plan', await estate.plan())
    estate.write(count, 'b')
    step('plan of one change', await estate.plan())
    step('apply of it', await estate.apply())
  } finally {
    estate.close()
  }
}

function print(name: string | undefined): void {
  console.log(
    `\n${count} resources ${asObjects ? 'as objects' : 'as one object with count'}${singleCalls ? ', single calls' : ''}`,
  )
  console.log(
    `${'step'.padEnd(22)}${'changes'.padStart(9)}${'CPU-s'.padStart(10)}${'s'.padStart(9)}${'peak MB'.padStart(9)}${(name ?? '').padStart(14)}${'ratio'.padStart(10)}`,
  )
  for (const { step, changes, peak, hykube, peer: other } of steps) {
    const beside =
      other === undefined
        ? ''
        : `${other.cpu.toFixed(2).padStart(14)}${`${(other.cpu / hykube.cpu).toFixed(1)}×`.padStart(10)}`
    console.log(
      `${step.padEnd(22)}${String(changes).padStart(9)}${hykube.cpu.toFixed(2).padStart(10)}${hykube.wall.toFixed(2).padStart(9)}${peak.toFixed(0).padStart(9)}${beside}`,
    )
    console.log(
      JSON.stringify({
        bench: 'plan',
        count,
        asObjects,
        singleCalls,
        step,
        changes,
        peak,
        hykube,
        ...(other !== undefined && { peer: other }),
      }),
    )
  }
}
