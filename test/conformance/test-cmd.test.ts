import { beforeAll, describe, expect, it } from 'vitest'
import { cachedRelease } from '../../tools/kinds/modules.ts'
import { findRealPart } from '../real-parts/obtain.ts'
import { knownStates, shortName } from './test-cmd/known-states.ts'
import { type FunctionResult, runFunction } from './test-cmd/run-function.ts'
import { suiteFunctions } from './test-cmd/suite.ts'

// Kubernetes' kubectl suite: `npm run conformance` runs all of it; this test runs the fast functions that are known to
// pass.
const release = cachedRelease()
const kubectl = findRealPart('kubectl-1.36')

describe("Kubernetes' kubectl suite", () => {
  if (typeof release === 'string' || kubectl.kind === 'missing') {
    const why = typeof release === 'string' ? release : 'there is no kubectl 1.36'
    it.skip(`passes (skipped: ${why}) [needs ${typeof release === 'string' ? 'go' : 'kubectl-1.36'}]`)
    return
  }
  const module = release.kubernetes
  const functions = suiteFunctions(module)
  const quick = functions.filter((name) => knownStates[shortName(name)]?.quick === true)
  const results = new Map<string, Promise<FunctionResult>>()

  // Two at a time, started before the first test waits for a result.
  beforeAll(() => {
    const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
    quick.forEach((name, at) => {
      const options = { module, kubectl: kubectl.path, seconds: 100 }
      const result = lanes[at % lanes.length]!.then(() => runFunction(name, options))
      results.set(name, result)
      lanes[at % lanes.length] = result.catch(() => {})
    })
  })

  it('has exactly the recorded functions', () => {
    expect(Object.keys(knownStates).sort()).toEqual(functions.map(shortName).sort())
  })

  it.each(quick)('%s passes', { timeout: 200_000 }, async (name) => {
    const { kind, where } = await results.get(name)!
    expect({ kind, where }).toEqual({ kind: 'passed', where: '' })
  })
})
