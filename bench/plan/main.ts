import { HykubeEstate, type Taken } from './hykube-estate.ts'
import { TerraformEstate } from './terraform-estate.ts'

/**
 * `npm run bench -- plan [COUNT] [--objects] [--no-peer]`: what plans and applies of COUNT resources of the simulated cloud
 * cost in processor time, server and provider together, and the same under real tofu or terraform with the same provider
 * where the machine has one. As one object with `count`, or as COUNT objects.
 */
const args = process.argv.slice(2)
const count = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 10_000)
const asObjects = args.includes('--objects')

interface Step {
  readonly step: string
  readonly changes: number
  readonly hykube: Taken
  peer?: Taken
}

const steps: Step[] = []
await measureHykube()
const peer = args.includes('--no-peer') ? undefined : await TerraformEstate.find()
if (peer !== undefined) await measurePeer(peer)
print(peer?.name)

async function measureHykube(): Promise<void> {
  const estate = await HykubeEstate.start()
  const step = (name: string, changes: number, hykube: Taken) => {
    steps.push({ step: name, changes, hykube })
    process.stderr.write(`hykube: ${name}: ${hykube.cpu.toFixed(2)} CPU-s, ${hykube.wall.toFixed(2)} s\n`)
  }
  try {
    if (asObjects) await estate.writeObjects(count, 'a')
    else await estate.writeBatch(count, 'a')
    const first = await estate.plan()
    step('first plan', first.changes, first)
    step('apply', first.changes, await estate.apply(first.name))
    // What the apply left to look at is settled by the next plan.
    await estate.plan()
    const none = await estate.plan()
    step('no-op plan', none.changes, none)
    if (asObjects) await estate.changeObject(0, 'b')
    else await estate.writeBatch(count, 'b')
    const one = await estate.plan()
    step('plan of one change', one.changes, one)
    step('apply of it', one.changes, await estate.apply(one.name))
    if (!asObjects) {
      await estate.writeBatch(count - 1, 'b')
      const fewer = await estate.plan()
      step('plan of one fewer', fewer.changes, fewer)
    }
    process.stderr.write(`hykube: ${estate.residentMegabytes.toFixed(0)} MB resident\n`)
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
  console.log(`\n${count} resources ${asObjects ? 'as objects' : 'as one object with count'}`)
  console.log(
    `${'step'.padEnd(22)}${'changes'.padStart(9)}${'CPU-s'.padStart(10)}${'s'.padStart(9)}${(name ?? '').padStart(14)}${'ratio'.padStart(10)}`,
  )
  for (const { step, changes, hykube, peer: other } of steps) {
    const beside =
      other === undefined
        ? ''
        : `${other.cpu.toFixed(2).padStart(14)}${`${(other.cpu / hykube.cpu).toFixed(1)}×`.padStart(10)}`
    console.log(
      `${step.padEnd(22)}${String(changes).padStart(9)}${hykube.cpu.toFixed(2).padStart(10)}${hykube.wall.toFixed(2).padStart(9)}${beside}`,
    )
    console.log(
      JSON.stringify({
        bench: 'plan',
        count,
        asObjects,
        step,
        changes,
        hykube,
        ...(other !== undefined && { peer: other }),
      }),
    )
  }
}
