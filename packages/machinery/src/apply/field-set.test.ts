import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  difference,
  emptyFieldSet,
  type FieldSet,
  fieldSetFromJson,
  fieldSetOf,
  fieldSetSize,
  fieldSetsEqual,
  fieldSetToJson,
  intersection,
  isEmptySet,
  leavesOf,
  pathsOf,
  recursiveDifference,
  union,
} from './field-set.ts'
import { type FieldPath, keyElement, pathToText, valueElement } from './path-element.ts'

const element = fc.constantFrom(
  'f:a',
  'f:b',
  'f:c',
  'k:{"name":"x"}',
  'k:{"port":443}',
  'k:{"port":80}',
  'v:"p"',
  'v:1',
  'i:0',
  'i:10',
  'i:9',
)
const path = fc.array(element, { minLength: 1, maxLength: 3 })
const set = fc.array(path, { maxLength: 8 }).map((paths) => fieldSetOf(...paths))
const texts = (given: FieldSet) => pathsOf(given).map(pathToText).sort()

describe('field sets', () => {
  it('behave like sets of paths', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const inA = new Set(texts(a))
        const inB = new Set(texts(b))
        expect(texts(union(a, b))).toEqual([...inA.union(inB)].sort())
        expect(texts(intersection(a, b))).toEqual([...inA.intersection(inB)].sort())
        expect(texts(difference(a, b))).toEqual([...inA.difference(inB)].sort())
        expect(fieldSetSize(a)).toBe(inA.size)
        expect(isEmptySet(a)).toBe(inA.size === 0)
        expect(fieldSetsEqual(a, b)).toBe(inA.symmetricDifference(inB).size === 0)
      }),
      { numRuns: 500 },
    )
  })

  it('contain the paths that they were built from', () => {
    fc.assert(
      fc.property(fc.array(path), (paths) => {
        expect(texts(fieldSetOf(...paths))).toEqual([...new Set(paths.map(pathToText))].sort())
      }),
    )
  })

  it('lose everything below a path in a recursive difference', () => {
    const startsWith = (long: FieldPath, short: FieldPath) => short.every((step, index) => long[index] === step)
    fc.assert(
      fc.property(set, set, (a, b) => {
        const expected = pathsOf(a).filter((each) => !pathsOf(b).some((taken) => startsWith(each, taken)))
        expect(texts(recursiveDifference(a, b))).toEqual(expected.map(pathToText).sort())
      }),
    )
  })

  it('have leaves without members below them', () => {
    fc.assert(
      fc.property(set, (a) => {
        const all = texts(a)
        const leaves = all.filter((each) => !all.some((other) => other !== each && other.startsWith(each)))
        expect(texts(leavesOf(a))).toEqual(leaves)
      }),
    )
  })

  it('are encoded in order and round-trip', () => {
    fc.assert(
      fc.property(set, (a) => {
        const json = fieldSetToJson(a)
        const again = fieldSetFromJson(JSON.parse(JSON.stringify(json)))
        expect(fieldSetsEqual(again, a)).toBe(true)
        expect(JSON.stringify(fieldSetToJson(again))).toBe(JSON.stringify(json))
      }),
    )
  })

  it('are immutable, and shared when nothing changed', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const before = JSON.stringify([a, b])
        for (const operation of [union, intersection, difference, recursiveDifference]) operation(a, b)
        expect(JSON.stringify([a, b])).toBe(before)
        expect(union(a, a)).toBe(a)
        expect(difference(a, emptyFieldSet)).toBe(a)
      }),
    )
  })

  it('are encoded with fields, keys, values and indexes in that order, numbers by value', () => {
    const given = fieldSetOf(
      ['i:10'],
      ['i:9'],
      ['v:"b"'],
      ['v:10'],
      ['v:9'],
      ['v:true'],
      ['k:{"port":443}'],
      ['k:{"port":80}'],
      ['k:{"a":1,"b":2}'],
      ['f:b'],
      ['f:a', 'f:x'],
      ['f:a'],
    )
    expect(JSON.stringify(fieldSetToJson(given))).toBe(
      '{"f:a":{".":{},"f:x":{}},"f:b":{},"k:{\\"a\\":1,\\"b\\":2}":{},"k:{\\"port\\":80}":{},"k:{\\"port\\":443}":{},"v:9":{},"v:10":{},"v:\\"b\\"":{},"v:true":{},"i:9":{},"i:10":{}}',
    )
  })

  it('are decoded from non-canonical notation', () => {
    const read = fieldSetFromJson({ 'k:{ "b":2, "a":1 }': {}, 'v: "x"': {}, 'i:007': {}, 'z:unknown': {}, '.': {} })
    expect(JSON.stringify(fieldSetToJson({ ...read }))).toBe(
      '{".":{},"k:{\\"a\\":1,\\"b\\":2}":{},"v:\\"x\\"":{},"i:7":{}}',
    )
    expect(fieldSetsEqual(fieldSetFromJson({ 'f:a': { '.': {} } }), fieldSetOf(['f:a']))).toBe(true)
    expect(fieldSetFromJson(null)).toBe(emptyFieldSet)
  })

  it.each(['x', 'fa', 'k:[]', 'k:{', 'v:', 'i:x'])('with the element %j are rejected', (step) => {
    expect(() => fieldSetFromJson({ [step]: {} })).toThrow()
  })

  it.each([[1], 'x', 1])('are not decoded from %j', (json) => expect(() => fieldSetFromJson(json)).toThrow())
})

it('paths are formatted as in Kubernetes', () => {
  const key = keyElement([
    ['containerPort', 80],
    ['protocol', 'TCP'],
  ])
  expect(pathToText(['f:spec', key, 'f:x', valueElement('a"b'), valueElement(true), 'i:3'])).toBe(
    '.spec[containerPort=80,protocol="TCP"].x[="a\\"b"][=true][3]',
  )
  expect(keyElement([['name', 'a<b&']])).toBe('k:{"name":"a\\u003cb\\u0026"}')
})
