import type { Case, Declared, Drift } from './declared.ts'
import type { Refused } from './side.ts'
import { write } from './write-both.ts'

/** A random number below a bound, the same for the same seed. */
export type Dice = (bound: number) => number

export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }
}

/** Operations that temporarily fail. */
export const refusals: readonly Refused[] = [
  undefined,
  { verb: 'INSERT', type: 'sim_subnet', text: '10.0.1.0' },
  { verb: 'INSERT', type: 'sim_network', text: '10.0.0.0' },
  { verb: 'INSERT', type: 'sim_instance', text: 'small' },
  { verb: 'INSERT', type: 'sim_bucket', text: '-1"' },
  { verb: 'DELETE', type: 'sim_network', text: '10.0.0.0' },
  { verb: 'DELETE', type: 'sim_instance', text: 'small' },
  { verb: 'DELETE', type: 'sim_bucket', text: 'b' },
]

/** Changes of real resources behind the provider's back. */
export const drift: Drift = {
  sim_network: { name: 'drifted' },
  sim_instance: { size: 'medium' },
  sim_bucket: { tags: { d: 'x' } },
}

/** A configuration of the simulated cloud and what becomes of it. */
export function randomCase(number: number, dice: Dice, isThorough: boolean): Case {
  const prefix = `c${number}`
  const first = variantsOf(dice)
  const second = first.map((variant, index) =>
    dice(3) === 0 ? editedVariant(index, variant, dice, isThorough) : variant,
  )
  const before = declared(prefix, first)
  const after = declared(prefix, second)
  const managed = before
    .map(({ address }) => address)
    .filter((address) => isManaged(address) && (isThorough || has(after, address)))
  const some = (chance: number) => managed.filter(() => dice(chance) === 0)
  return {
    number,
    before,
    after,
    drifted: some(12),
    gone: some(20),
    replaced: some(16).filter((address) => has(after, address)),
  }
}

function isManaged(address: string): boolean {
  return !address.startsWith('data.')
}

function has(all: readonly Declared[], address: string): boolean {
  return all.some((each) => each.address === address)
}

const objects = 9
const variantOf = (dice: Dice): number | undefined => (dice(8) === 0 ? undefined : dice(64))

// Objects become many, and many one, in the long form only.
function editedVariant(
  index: number,
  variant: number | undefined,
  dice: Dice,
  isThorough: boolean,
): number | undefined {
  for (;;) {
    const edited = variantOf(dice)
    if (isThorough || index !== 4 || edited === undefined || variant === undefined) return edited
    if (kindOf(edited) === kindOf(variant) || kindOf(edited) === 2 || kindOf(variant) === 2) return edited
  }
}

const variantsOf = (dice: Dice) => Array.from({ length: objects }, () => variantOf(dice))

function declared(prefix: string, variants: readonly (number | undefined)[]): Declared[] {
  const has = (index: number) => variants[index] !== undefined
  const all: Declared[] = []
  for (const [index, variant] of variants.entries())
    if (variant !== undefined) all.push(build(prefix, index, variant, has, variants[4] ?? 0))
  return all
}

type Has = (index: number) => boolean

// Each refers to earlier ones, where they are.
function build(p: string, index: number, variant: number, has: Has, batched: number): Declared {
  const bit = (at: number) => ((variant >> at) & 1) === 1
  const createFirst = bit(4) && bit(5)
  const n0 = has(0)
  switch (index) {
    case 0:
    case 1:
      return write('sim_network', `${p}n${index}`, {
        attributes: { name: `n${bit(0) ? 1 : 0}`, cidr: bit(1) ? '10.0.0.0/16' : '10.1.0.0/16' },
        createFirst: createFirst && index === 1,
      })
    case 2:
      return write('data.sim_image', `${p}d0`, {
        attributes: {
          name: bit(0) && n0 ? `\${sim_network.${p}n0.${bit(1) ? 'id' : 'name'}}` : `img${bit(2) ? 1 : 0}`,
        },
        ...(bit(3) && has(1) && { dependsOn: [`sim_network.${p}n1`] }),
      })
    case 3:
      return write('sim_subnet', `${p}s0`, {
        attributes: {
          network_id: n0 && bit(0) ? `\${sim_network.${p}n0.id}` : 'fixed',
          cidr: bit(1) ? '10.0.1.0/24' : '10.0.2.0/24',
        },
        ...(bit(2) && has(1) && { dependsOn: [`sim_network.${p}n1`] }),
        createFirst,
      })
    case 4:
      return batch(p, variant, n0, createFirst)
    case 5:
    case 6:
      return write('sim_instance', `${p}i${index - 5}`, {
        attributes: {
          subnet_id: has(3) && bit(0) ? `\${sim_subnet.${p}s0.id}` : 'fixed',
          image: has(2) && bit(1) ? `\${data.sim_image.${p}d0.id}` : 'plain',
          size: bit(2) ? 'small' : 'large',
          tags: { a: n0 && bit(3) ? `\${sim_network.${p}n0.name}` : `${variant & 3}` },
        },
        ...(index === 6 && bit(4) && { ignore: ['tags', 'size'] }),
        createFirst: createFirst && index === 5,
      })
    case 7:
      return write('sim_null', `${p}t0`, {
        attributes: {
          triggers: {
            a:
              has(4) && bit(0)
                ? all(`sim_bucket.${p}b0`, kindOf(batched))
                : n0 && bit(1)
                  ? `\${sim_network.${p}n0.cidr}`
                  : 'x',
          },
        },
        ...(bit(2) && has(3) && { triggeredBy: [`sim_subnet.${p}s0.id`] }),
        ...(bit(3) && has(5) && { triggeredBy: [`sim_instance.${p}i0`] }),
      })
    default:
      return write('sim_database', `${p}db`, {
        attributes: {
          name: has(5) && bit(0) ? `\${sim_instance.${p}i0.private_ip}` : `db${bit(1) ? 1 : 0}`,
          size: bit(2) ? 'small' : 'large',
        },
        ...(bit(3) && has(6) && { dependsOn: [`sim_instance.${p}i1`] }),
      })
  }
}

// 0: a single object, 1: count, 2: for_each.
function kindOf(variant: number): number {
  return (variant >> 1) % 3
}

function batch(p: string, variant: number, n0: boolean, createFirst: boolean): Declared {
  const base = n0 && (variant & 1) === 1 ? `\${sim_network.${p}n0.name}` : 'b'
  const kind = kindOf(variant)
  if (kind === 0) return write('sim_bucket', `${p}b0`, { attributes: { name: base }, createFirst })
  if (kind === 1)
    return write('sim_bucket', `${p}b0`, {
      count: (variant >> 3) % 4,
      attributes: { name: `${base}-\${count.index}` },
      createFirst,
    })
  const entries = Object.fromEntries(['x', 'y', 'z'].slice((variant >> 3) % 3).map((key) => [key, `v${variant & 4}`]))
  return write('sim_bucket', `${p}b0`, {
    forEach: entries,
    attributes: { name: '${each.key}', tags: { v: '${each.value}' } },
  })
}

/** All ids of a batch or of a single object, in a text; marked, because the languages differ there. */
function all(address: string, kind: number): string {
  return kind === 2 ? `values:${address}` : `all:${address}`
}
