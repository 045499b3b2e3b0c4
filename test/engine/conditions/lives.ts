import fc from 'fast-check'

/** One thing that happens to an estate. Numbers choose among what there is then. */
export type Step =
  | { readonly do: 'write'; readonly object: number; readonly variant: number }
  | { readonly do: 'revert' | 'delete' | 'undelete'; readonly object: number }
  | { readonly do: 'move'; readonly object: number; readonly instance: number }
  | { readonly do: 'drift'; readonly object: number; readonly gone: boolean }
  | { readonly do: 'keep'; readonly value: number }
  | { readonly do: 'plan'; readonly refreshed: boolean }
  /** Applies the oldest plan that was made and not applied, or a new one. */
  | { readonly do: 'apply'; readonly old: boolean; readonly how: number; readonly fault: number }

/** The objects that there may be; moved ones have names of their own. */
export const addresses = ['sim_network.n', 'sim_subnet.s', 'sim_bucket.b', 'sim_null.t', 'data.sim_image.d'] as const

const object = below(addresses.length)

export const lives: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constant('write' as const), object, variant: below(16) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constantFrom('revert' as const, 'delete' as const, 'undelete' as const, 'undelete' as const),
        object,
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), object, instance: below(4) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('drift' as const), object, gone: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('keep' as const), value: below(3) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('plan' as const), refreshed: fc.boolean() }) },
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('apply' as const), old: fc.boolean(), how: below(9), fault: below(14) }),
    },
  ),
  { minLength: 3, maxLength: 14 },
)

function below(bound: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: bound - 1 })
}
