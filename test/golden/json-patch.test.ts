import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '@hykube/machinery/json'
import { applyJsonPatch } from '@hykube/machinery/patch'
import { expect, test } from 'vitest'
import { describeWith } from '../real-parts/index.ts'
import { type Differences, expectDifferences } from './differences.ts'

interface Case {
  readonly comment?: string
  readonly doc: JsonValue
  readonly patch: JsonValue
  readonly expected?: JsonValue
  readonly error?: string
  readonly disabled?: boolean
}

/** Kubernetes' JSON patch library deviates from the RFC; we follow Kubernetes. */
const differences: Differences = {
  'a negative index counts from the end in Kubernetes': ['tests.json[16] Out of bounds (lower)'],
}

describeWith(['json-patch-test-suite'], 'the JSON Patch suite', (directory) => {
  test('passes apart from the known differences', () => {
    const failed: string[] = []
    let count = 0
    for (const file of ['tests.json', 'spec_tests.json']) {
      const cases = JSON.parse(readFileSync(join(directory, file), 'utf8')) as Case[]
      for (const [at, each] of cases.entries()) {
        if (each.disabled || (each.expected === undefined && each.error === undefined)) continue
        count++
        if (!isRight(each)) failed.push(`${file}[${at}] ${each.comment ?? each.error ?? ''}`.trim())
      }
    }
    expect(count).toBeGreaterThan(80)
    expectDifferences(failed, differences)
  })
})

function isRight({ doc, patch, expected, error }: Case): boolean {
  try {
    const result = applyJsonPatch(doc, patch)
    return error === undefined && isDeepStrictEqual(result, expected)
  } catch {
    return error !== undefined
  }
}
