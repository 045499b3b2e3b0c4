import fc from 'fast-check'

/** One thing that happens to an estate. Numbers choose among what there is then. */
export type Step =
  | { readonly do: 'write'; readonly object: number; readonly variant: number }
  | { readonly do: 'delete' | 'undelete'; readonly object: number }
  | { readonly do: 'keep'; readonly kind: 'secrets' | 'configmaps'; readonly value: number }
  | { readonly do: 'configure'; readonly own: boolean; readonly seed: number }
  | { readonly do: 'drift'; readonly object: number; readonly gone: boolean }
  | { readonly do: 'apply'; readonly how: number; readonly fault: number }
  | { readonly do: 'upgrade' }
  | { readonly do: 'check' }

/** The objects that there may be. Each refers to earlier ones only, so that there is no circle. */
export const addresses = [
  'sim_network.n0',
  'sim_network.n1',
  'data.sim_image.d0',
  'sim_subnet.s0',
  'sim_bucket.b0',
  'sim_instance.i0',
  'sim_instance.i1',
  'sim_null.t0',
  'sim_null.t1',
] as const

/** The initial objects and the following steps. */
export interface Life {
  /** The variant of each object; one that is not there has none. */
  readonly born: readonly (number | undefined)[]
  readonly steps: readonly Step[]
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: fc.record({ do: fc.constant('write' as const), object: below(9), variant: below(16) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'undelete' as const), object: below(9) }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('keep' as const),
        kind: fc.constantFrom('secrets' as const, 'configmaps' as const),
        value: below(4),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('configure' as const), own: fc.boolean(), seed: below(6) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('upgrade' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('drift' as const), object: below(9), gone: fc.boolean() }) },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('apply' as const), how: below(16), fault: below(12) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('check' as const) }) },
  ),
  { minLength: 2, maxLength: 10 },
)

export const lives: fc.Arbitrary<Life> = fc.record({
  born: fc.array(fc.option(below(16), { nil: undefined, freq: 6 }), { minLength: 9, maxLength: 9 }),
  steps,
})

function below(bound: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: bound - 1 })
}
