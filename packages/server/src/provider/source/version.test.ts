import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareVersions, parseVersion, type Version, versionFromText, versionToText } from './version.ts'

const identifier = fc.oneof(
  fc.nat({ max: 20 }).map(String),
  fc.constantFrom('alpha', 'beta', 'rc1', 'x-y', '0a', 'A', '-'),
)
const number = fc.oneof(fc.nat({ max: 3 }), fc.nat())
const version: fc.Arbitrary<Version> = fc.record({
  major: number,
  minor: number,
  patch: number,
  prerelease: fc.array(identifier, { maxLength: 3 }),
  build: fc.constantFrom('', 'b1', '20.1'),
})

describe('versions', () => {
  test('round-trip through text', () => {
    fc.assert(fc.property(version, (given) => void expect(parseVersion(versionToText(given))).toEqual(given)))
  })

  test('are in the order of semver', () => {
    const ordered = ['0.9.10', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2']
    ordered.push('1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1', '1.10.0', '2.0.0')
    const shuffled = ordered.toReversed().map(parseVersion)
    expect(shuffled.sort(compareVersions).map(versionToText)).toEqual(ordered)
  })

  test('have an order that is antisymmetric and transitive', () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)))
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })

  test.each([
    '',
    '1',
    '1.2',
    'v1.2.3',
    '1.2.3.4',
    '01.2.3',
    '1.2.3-',
    '1.2.3-01',
    '1.2.3-a..b',
    '99999999999999999.0.0',
  ])('%j is none', (text) => {
    expect(versionFromText(text)).toBeUndefined()
    expect(() => parseVersion(text)).toThrow('like 1.2.3')
  })
})
