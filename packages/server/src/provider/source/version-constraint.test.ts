import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareVersions, parseVersion, versionToText } from './version.ts'
import { allowsVersion, constraintToText, exactVersion, parseVersionConstraint } from './version-constraint.ts'

const available = ['1.0.0', '1.0.4', '1.0.5', '1.1.0', '1.2.0-beta1', '1.5.0', '2.0.0-rc.1', '2.0.0', '2.1.3', '10.0.0']

describe('the versions that a constraint allows', () => {
  test.each([
    ['', '1.0.0 1.0.4 1.0.5 1.1.0 1.5.0 2.0.0 2.1.3 10.0.0', 'any release'],
    ['1.1.0', '1.1.0', 'no operator means this one'],
    ['= 1.1', '1.1.0', 'what is left out is 0'],
    ['!= 1.5.0, < 2', '1.0.0 1.0.4 1.0.5 1.1.0', 'all conditions count'],
    ['>= 1, < 2, != 1.5', '1.0.0 1.0.4 1.0.5 1.1.0', 'parts may be left out'],
    ['> 2', '2.1.3 10.0.0', 'numbers are compared as numbers'],
    ['<=1.0.4', '1.0.0 1.0.4', 'a space is not needed'],
    ['~> 1.0.4', '1.0.4 1.0.5', 'the last of three may grow'],
    ['~> 1.1', '1.1.0 1.5.0', 'the last of two may grow'],
    ['~> 1', '1.0.0 1.0.4 1.0.5 1.1.0 1.5.0', 'the major one may not'],
    ['~> 1.0, != 1.5.0', '1.0.0 1.0.4 1.0.5 1.1.0', 'and one is left out'],
    ['1.2.0-beta1', '1.2.0-beta1', 'a prerelease that is named'],
    ['= 2.0.0-rc.1', '2.0.0-rc.1', 'the same with its operator'],
    ['>= 2.0.0-rc.1', '2.0.0 2.1.3 10.0.0', 'a prerelease is not in a range'],
    ['~> 1.2.0-beta1', '', 'nor under ~>'],
    ['~> 1.0-beta', '1.0.0 1.0.4 1.0.5 1.1.0 1.5.0', 'but may be where a range begins'],
    ['> 3, < 2', '', 'conditions that exclude each other'],
  ])('%j: %s (%s)', (text, allowed) => {
    const constraint = parseVersionConstraint(text)
    const versions = available.map(parseVersion)
    const found = versions.filter((version) => allowsVersion(constraint, version)).map(versionToText)
    expect(found).toEqual(allowed.split(' ').filter(Boolean))
  })

  test('a constraint round-trips through text', () => {
    const operator = fc.constantFrom('', '=', '!=', '>', '>=', '<', '<=', '~>')
    const parts = fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 3 })
    const rest = fc.constantFrom('', '', '-beta.1', '+b')
    const condition = fc.tuple(operator, parts, rest).map(([sign, numbers, end]) => `${sign}${numbers.join('.')}${end}`)
    const text = fc.array(condition, { maxLength: 3 }).map((conditions) => conditions.join(','))
    const version = fc.tuple(fc.nat({ max: 11 }), fc.nat({ max: 11 }), fc.nat({ max: 11 })).map((n) => n.join('.'))
    fc.assert(
      fc.property(text, version, (given, at) => {
        const constraint = parseVersionConstraint(given)
        const again = parseVersionConstraint(constraintToText(constraint))
        expect(again).toEqual(constraint)
        expect(allowsVersion(again, parseVersion(at))).toBe(allowsVersion(constraint, parseVersion(at)))
      }),
    )
  })

  test('~> is equivalent to a range', () => {
    const three = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.nat({ max: 9 }))
    fc.assert(
      fc.property(three, three, ([a, b, c], at) => {
        const version = parseVersion(at.join('.'))
        const within = (low: string, high: string) =>
          compareVersions(version, parseVersion(low)) >= 0 && compareVersions(version, parseVersion(high)) < 0
        const allows = (text: string) => allowsVersion(parseVersionConstraint(text), version)
        expect(allows(`~> ${a}.${b}.${c}`)).toBe(within(`${a}.${b}.${c}`, `${a}.${b + 1}.0`))
        expect(allows(`~> ${a}.${b}`)).toBe(within(`${a}.${b}.0`, `${a + 1}.0.0`))
        expect(allows(`~> ${a}`)).toBe(within(`${a}.0.0`, `${a + 1}.0.0`))
      }),
    )
  })
})

test('recognizes a constraint of one exact version', () => {
  expect(exactVersion(parseVersionConstraint('5.62.0'))).toMatchObject({ major: 5, minor: 62, patch: 0 })
  expect(exactVersion(parseVersionConstraint('= 5.62.0, != 5.63'))).toBeUndefined()
  expect(exactVersion(parseVersionConstraint('~> 5.62.0'))).toBeUndefined()
})

test.each([
  ['latest', 'like ~> 5.62'],
  ['v1.2.3', 'without a v'],
  ['1.*', 'no wildcards'],
  ['1.x', 'no wildcards'],
  ['>= 1.0 < 2.0', 'like ~> 5.62'],
  ['>= 1.0,', 'like ~> 5.62'],
  ['=> 1.0', 'like ~> 5.62'],
  ['~> 1.0-', 'like ~> 5.62'],
  ['1.2.3.4', 'like ~> 5.62'],
])('%j is refused: %s', (text, words) => {
  expect(() => parseVersionConstraint(text)).toThrow(words)
})
