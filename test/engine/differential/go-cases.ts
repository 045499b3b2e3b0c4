import type { Dice } from './configuration.ts'
import type { Case, Declared, Drift } from './declared.ts'
import type { NormalChange } from './normal-form.ts'
import { type Parts, write } from './write-both.ts'

/** A provider that others wrote, and how configurations for it are made. */
export interface OtherProvider {
  readonly name: string
  readonly hasWorld: boolean
  readonly drift: Drift
  /** Types of which objects are taken away outside. */
  readonly vanishing: readonly string[]
  /** Objects of a case; each refers to earlier ones. Given the same dice, the same. */
  readonly declare: (prefix: string, dice: Dice) => readonly Declared[]
  readonly normalise?: (change: NormalChange) => NormalChange
}

/** A configuration for a provider, and what becomes of it. */
export function otherCase({ declare, drift, vanishing }: OtherProvider, number: number, dice: Dice): Case {
  const prefix = `c${number}`
  const before = declare(prefix, dice)
  const edited = declare(prefix, dice)
  // Some stay as they are, some are edited, some come and go.
  const after = edited.flatMap((each, index) => {
    const old = before[index]!
    const fate = dice(6)
    return fate < 3 ? [old] : fate < 5 ? [each] : []
  })
  const kept = withTargets(after)
  const managed = before.map(({ address }) => address).filter((address) => !address.startsWith('data.'))
  const some = (chance: number) => managed.filter(() => dice(chance) === 0)
  return {
    number,
    before,
    after: kept,
    drifted: some(6).filter((address) => drift[address.split('.')[0]!] !== undefined),
    gone: some(10).filter((address) => vanishing.includes(address.split('.')[0]!)),
    replaced: some(8).filter((address) => kept.some((each) => each.address === address)),
  }
}

// Without those that refer to something that is not there.
function withTargets(all: readonly Declared[]): readonly Declared[] {
  const kept: Declared[] = []
  for (const each of all) {
    const wanted = JSON.stringify(each.spec).match(/\b(?:frame|legacy|time)_\w+\.c\w+/g) ?? []
    if (wanted.every((target) => kept.some(({ address }) => address.replace(/^data\./, '') === target))) kept.push(each)
  }
  return kept
}

function pick<T>(dice: Dice, ...all: readonly T[]): T {
  return all[dice(all.length)]!
}

// Some of these attributes, each with one of its values.
function some(dice: Dice, pool: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown> {
  const chosen = Object.entries(pool).flatMap(([name, values]) =>
    dice(3) === 0 ? [] : [[name, pick(dice, ...values)]],
  )
  return Object.fromEntries(chosen) as Record<string, unknown>
}

function lifecycleOf(dice: Dice, ignorable: readonly string[], triggers: readonly string[]): Partial<Parts> {
  return {
    createFirst: dice(4) === 0,
    ...(dice(5) === 0 && { ignore: [pick(dice, ...ignorable)] }),
    ...(triggers.length > 0 && dice(4) === 0 && { triggeredBy: [pick(dice, ...triggers)] }),
  }
}

/** The provider on terraform-plugin-framework, protocol 6. */
export const frame: OtherProvider = {
  name: 'frame',
  hasWorld: true,
  drift: { frame_note: { text: 'drifted' } },
  // Terraform 1.11 keeps no identities, and the framework demands one of a note even when it is gone. Ids follow from names, so a
  // note that is replaced by creating first would be.
  vanishing: ['frame_everything'],
  declare: (p, dice) => {
    const everything = `frame_everything.${p}e`
    const note = `frame_note.${p}a`
    return [
      write('frame_everything', `${p}e`, {
        attributes: { name: `${p}-e${dice(3)}`, ...some(dice, everythingPool) },
        blocks: some(dice, everythingBlocks) as NonNullable<Parts['blocks']>,
        ...lifecycleOf(dice, ['a_list', 'a_string', 'listed'], []),
      }),
      write('frame_note', `${p}a`, {
        attributes: {
          name: `${p}-a${dice(3)}`,
          text: pick(dice, 'plain', 'other', `made: \${${everything}.digest}`, `\${${everything}.id}`),
        },
        ...lifecycleOf(dice, ['text'], [everything, `${everything}.a_list`]),
        createFirst: false,
      }),
      write('frame_note', `${p}b`, {
        attributes: {
          name: `${p}-b${dice(2)}`,
          text: pick(dice, 'plain', `\${${note}.loud}`, `\${${note}.edits}`, `\${${note}.text}!`),
        },
        ...lifecycleOf(dice, ['text'], [note, `${note}.text`]),
        createFirst: false,
      }),
      write('data.frame_note', `${p}d`, { attributes: { id: `\${${note}.id}` } }),
      write('frame_note', `${p}z`, {
        attributes: { name: `${p}-z`, text: pick(dice, `\${data.frame_note.${p}d.text}`, 'plain') },
        ...lifecycleOf(dice, ['text'], []),
        createFirst: false,
      }),
    ]
  },
}

const everythingPool = {
  a_string: ['own', 'other'],
  a_bool: [true, false],
  an_int64: [1, 9007199254740991],
  a_float64: [1.5, 0.1],
  a_number: [12345.678, 2],
  a_list: [['x'], ['x', 'z'], []],
  a_set: [['b', 'a'], ['a', 'c'], ['a']],
  a_map: [{ one: 1 }, { one: 1, two: 2 }],
  an_object: [
    { text: 't', flag: true },
    { text: 'u', flag: false },
  ],
  a_dynamic: ['text', [1, 'two'], { deep: true }],
  a_secret: ['s1', 's2'],
  one: [{ key: 'k', value: 2.25, words: ['w'] }, { key: 'k' }, { key: 'l', given: 'own' }],
  listed: [[{ key: 'l1' }], [{ key: 'l1' }, { key: 'l2', given: 'own' }], [{ key: 'l2', given: 'own' }]],
  gathered: [[{ key: 'g1' }], [{ key: 'g1' }, { key: 'g2', words: ['z'] }], [{ key: 'g2', words: ['y'] }]],
  mapped: [{ m: { key: 'in-m' } }, { m: { key: 'in-m', given: 'own' }, n: { key: 'in-n' } }],
}

const everythingBlocks = {
  single_block: [{ key: 's', size: 3 }, { key: 's' }],
  list_block: [[{ key: 'b1', deeper: [{ key: 'd1', size: 1 }] }, { size: 2 }], [{ size: 2 }]],
  set_block: [[{ key: 'sb1' }, { key: 'sb2', size: 4 }], [{ key: 'sb2', size: 4 }]],
}

/** The provider on terraform-plugin-sdk/v2, protocol 5. */
export const legacy: OtherProvider = {
  name: 'legacy',
  hasWorld: true,
  drift: { legacy_thing: { tags: { drifted: 'yes' } } },
  vanishing: ['legacy_thing'],
  declare: (p, dice) => {
    const first = `legacy_thing.${p}t`
    return [
      thing(`${p}t`, dice, {}, []),
      thing(`${p}u`, dice, { zone: pick(dice, 'zone-b', `\${${first}.zone}`, `\${${first}.serial}`) }, [
        first,
        `${first}.size`,
      ]),
      thing(`${p}v`, dice, { word: pick(dice, `\${${first}.id}`, `\${legacy_thing.${p}u.serial}`, 'plain') }, [first]),
    ]
  },
}

function thing(name: string, dice: Dice, more: object, triggers: readonly string[]): Declared {
  return write('legacy_thing', name, {
    attributes: { name: `${name}-${dice(2)}`, ...some(dice, thingPool), ...more },
    blocks: some(dice, thingBlocks) as NonNullable<Parts['blocks']>,
    ...lifecycleOf(dice, ['size', 'tags', 'word'], triggers),
  })
}

const thingPool = {
  size: [1, 5, 6],
  word: ['MiXed', 'mixed', 'OTHER'],
  ratio: [0.1, 2],
  enabled: [true, false],
  secret: ['s1', 's2'],
  tags: [{ a: 'b' }, {}, { a: 'c', d: 'e' }],
  ports: [[8080, 22, 1022], [22]],
  names: [['n1', 'n2'], ['n2'], []],
}

const thingBlocks = {
  rule: [[{ port: 443 }, { port: 53, protocol: 'udp' }], [{ port: 443 }]],
  disk: [[{ gb: 10 }], [{ gb: 20 }]],
}

/** hashicorp/time. */
export const time: OtherProvider = {
  name: 'time',
  hasWorld: false,
  drift: {},
  vanishing: [],
  declare: (p, dice) => {
    const now = `time_static.${p}s`
    const later = `time_offset.${p}o`
    return [
      write('time_static', `${p}s`, {
        attributes: {
          triggers: { a: pick(dice, 'x', 'y') },
          ...some(dice, { rfc3339: [fixed, '2021-06-01T12:00:00Z'] }),
        },
        ...lifecycleOf(dice, ['triggers'], []),
      }),
      write('time_offset', `${p}o`, {
        attributes: {
          base_rfc3339: pick(dice, fixed, `\${${now}.rfc3339}`),
          ...pick<object>(dice, { offset_days: 1 }, { offset_hours: 36 }, { offset_years: 2 }),
          triggers: { a: pick(dice, 'x', `\${${now}.id}`) },
        },
        ...lifecycleOf(dice, ['triggers', 'offset_days'], [now]),
      }),
      write('time_rotating', `${p}r`, {
        attributes: {
          rotation_years: pick(dice, 1000, 2000),
          triggers: { a: pick(dice, 'x', `\${${later}.rfc3339}`) },
        },
        ...lifecycleOf(dice, ['triggers'], [later]),
      }),
      write('time_sleep', `${p}w`, {
        attributes: { create_duration: pick(dice, '1ms', '2ms'), triggers: { a: pick(dice, 'x', `\${${later}.id}`) } },
        ...lifecycleOf(dice, ['create_duration'], [now, later]),
      }),
    ]
  },
  normalise: (change) => ({ ...change, before: withoutNow(change.before), after: withoutNow(change.after) }),
}

const fixed = '2020-01-01T00:00:00Z'

// Times that follow from the clock, and their parts.
function withoutNow(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\b(?!2020|2021|2022)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'a time')
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const isOfNow = entries.some(([, each]) => each !== withoutNow(each) && typeof each === 'string')
  return Object.fromEntries(
    entries.map(([key, each]) => [key, isOfNow && parts.has(key) && typeof each === 'number' ? 0 : withoutNow(each)]),
  )
}

const parts = new Set(['day', 'hour', 'minute', 'month', 'second', 'unix', 'year'])
