import type { PlanSpec } from '@hykube/machinery/plan-api'
import fc from 'fast-check'
import type { Spec } from '../scenario.ts'

/** A step in the life of a small graph: an object is written, moved or deleted, or a plan is created and applied. */
export type GraphStep =
  | { readonly do: 'write'; readonly object: number; readonly variant: number }
  | { readonly do: 'delete'; readonly address: string }
  | { readonly do: 'move'; readonly to: string }
  | { readonly do: 'apply'; readonly plan: PlanSpec; readonly fault: string | undefined }

export interface GraphLife {
  readonly born: readonly number[]
  readonly steps: readonly GraphStep[]
}

/** Each refers to earlier ones only. Networks, subnets and instances are replaced when what they refer to is; buckets are updated. */
export const graphAddresses = ['sim_network.n', 'sim_bucket.m', 'sim_subnet.s', 'sim_null.t', 'sim_bucket.b'] as const

/** Names under which objects are moved, with their old names. */
export const movedFrom: Readonly<Record<string, string>> = {
  'sim_network.x': 'sim_network.n',
  'sim_bucket.x': 'sim_bucket.m',
  'sim_subnet.x': 'sim_subnet.s',
}

/** The spec of an object in a variant; undefined if it does not exist. */
export function graphSpec(object: number, variant: number): Spec | undefined {
  if (variant % 8 === 7) return undefined
  const bit = (at: number) => ((variant >> at) & 1) === 1
  const wishes = [{}, {}, { prevent_destroy: true }, { create_before_destroy: true }, { destroy: false }, {}][
    variant % 6
  ]
  const lifecycle = { lifecycle: wishes }
  switch (graphAddresses[object]) {
    case 'sim_network.n':
      return { name: `n${bit(3)}`, cidr: '10.0.0.0/16', ...lifecycle }
    case 'sim_bucket.m':
      return { count: 1 + ((variant >> 3) % 3), name: `m${bit(5)}-\${count.index}`, ...lifecycle }
    case 'sim_subnet.s':
      return { network_id: '${sim_network.n.id}', cidr: bit(3) ? '10.0.1.0/24' : '10.0.2.0/24', ...lifecycle }
    case 'sim_null.t':
      return { triggers: { a: reference(variant >> 3) }, ...lifecycle }
    default:
      return {
        ...(bit(6) && { count: 2 }),
        name: 'b',
        tags: { a: reference(variant >> 3), b: bit(5) ? '${sim_null.t.id}' : '${sim_network.n.id}' },
        ...lifecycle,
      }
  }
}

function reference(choice: number): string {
  const some = ['${sim_subnet.s.id}', '${sim_bucket.m[0].id}', '${sim_bucket.m[*].id.join(",")}', '${sim_network.n.id}']
  return some[choice % some.length]!
}

const moved = Object.keys(movedFrom)
const named = fc.constantFrom(
  ...graphAddresses,
  'sim_bucket.m[0]',
  'sim_bucket.m[1]',
  'sim_bucket.b[1]',
  'sim_network.x',
)

const plans: fc.Arbitrary<PlanSpec> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<PlanSpec>({}) },
  fc.constant<PlanSpec>({ mode: 'Destroy' }),
  fc.record({ mode: fc.constantFrom('Normal' as const, 'Destroy' as const), targets: some(named) }),
  fc.record({ mode: fc.constantFrom('Normal' as const, 'Destroy' as const), excludes: some(named) }),
  fc.record({ replace: some(named) }),
  fc.record({ replace: some(named), excludes: some(named) }),
  fc.record({ replace: some(named), targets: some(named) }),
  fc.record({ mode: fc.constant('Destroy' as const), kinds: some(fc.constantFrom('sim_network', 'sim_bucket')) }),
)

const faults = fc.option(
  fc.constantFrom(
    ...['sim_network', 'sim_bucket', 'sim_subnet', 'sim_null'].flatMap((type) => [`- ${type}`, `~ ${type}`]),
  ),
  { nil: undefined, freq: 4 },
)

const step: fc.Arbitrary<GraphStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), object: below(5), variant: below(128) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('delete' as const), address: fc.constantFrom(...graphAddresses, ...moved) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), to: fc.constantFrom(...moved) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('apply' as const), plan: plans, fault: faults }) },
)

export const graphLives: fc.Arbitrary<GraphLife> = fc.record({
  born: fc.array(below(128), { minLength: 5, maxLength: 5 }),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
})

function below(bound: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: bound - 1 })
}

function some<T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(one, { minLength: 1, maxLength: 2 })
}
