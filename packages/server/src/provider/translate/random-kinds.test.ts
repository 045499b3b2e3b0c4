import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { arbitraryKind, type KindSample } from '../testing/arbitrary-kind.ts'
import { plainTemplates } from '../testing/plain-templates.ts'
import { KindCheck } from './check/kind-check.ts'
import type { Structure } from './structure.ts'
import { Structures } from './structures.ts'

const structureOf = ({ block }: KindSample) => new Structures().ofBlock(block)
const causesOf = (sample: KindSample, spec: JsonObject = sample.spec) =>
  new KindCheck('managed', () => structureOf(sample), plainTemplates).inspect(spec).causes

it('accepts random specs that conform to the schema', () => {
  fc.assert(
    fc.property(arbitraryKind(), (sample) => {
      expect(causesOf(sample)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

it('refuses a spec with one invalid value, with its path', () => {
  fc.assert(
    fc.property(arbitraryKind(), fc.nat(), fc.nat(), (sample, which, how) => {
      const places = placesIn(structureOf(sample), sample.spec, ['spec'])
      fc.pre(places.length > 0)
      const { path, structure } = places[which % places.length]!
      const wrong = breakages(structure)
      const { value, at } = wrong[how % wrong.length]!
      const broken = withValue({ spec: sample.spec }, path, value)
      expect(causesOf(sample, broken.spec as JsonObject).map(({ field }) => field)).toContain(textOf([...path, ...at]))
    }),
    { numRuns: 500 },
  )
})

type Step = string | number | { readonly key: string }

interface Place {
  readonly path: readonly Step[]
  readonly structure: Structure
}

/** All positions of a spec with a known structure. */
function placesIn(structure: Structure, value: JsonValue, path: readonly Step[]): Place[] {
  const inside = insideOf(structure, value, path)
  return [...(path.length > 1 && structure.kind !== 'dynamic' ? [{ path, structure }] : []), ...inside]
}

function insideOf(structure: Structure, value: JsonValue, path: readonly Step[]): Place[] {
  if (structure.kind === 'object' && isJsonObject(value))
    return Object.keys(value).flatMap((name) =>
      placesIn(structure.fields.get(name)!.structure, value[name]!, [...path, name]),
    )
  if (structure.kind === 'map' && isJsonObject(value))
    return Object.keys(value).flatMap((key) => placesIn(structure.element, value[key]!, [...path, { key }]))
  if ((structure.kind === 'list' || structure.kind === 'set') && Array.isArray(value))
    return value.flatMap((item, index) => placesIn(structure.element, item, [...path, index]))
  return []
}

/** Invalid values for a structure, and the path of the error inside of them. */
function breakages(structure: Structure): { readonly value: JsonValue; readonly at: readonly Step[] }[] {
  const here = (value: JsonValue) => ({ value, at: [] })
  const always = [here('${!wrong}')]
  switch (structure.kind) {
    case 'string':
      return [...always, here(3), here(true), here(['a']), here({ a: 'b' }), here('${open')]
    case 'number':
      return [...always, here('many'), here(false), here([1]), here('1${a.b}')]
    case 'bool':
      return [...always, here('true'), here(1), here({})]
    case 'list':
    case 'set':
      return [...always, here({ a: 1 }), here('text'), here(5)]
    case 'map':
      return [...always, here(['a']), here('text'), here(5), { value: { 'x${a.b}': null }, at: [{ key: 'x${a.b}' }] }]
    case 'object':
      return [...always, here(['a']), here('text'), { value: { surely_not_there: 1 }, at: ['surely_not_there'] }]
    default:
      return always
  }
}

function withValue(object: JsonObject, path: readonly Step[], value: JsonValue): JsonObject {
  const copy = structuredClone(object)
  let at: JsonValue = copy
  for (const step of path.slice(0, -1)) at = (at as JsonObject)[keyOf(step)]!
  ;(at as JsonObject)[keyOf(path.at(-1)!)] = value
  return copy
}

function keyOf(step: Step): string {
  return typeof step === 'object' ? step.key : String(step)
}

function textOf(path: readonly Step[]): string {
  return path
    .map((step) => (typeof step === 'object' ? `[${step.key}]` : typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)
}
