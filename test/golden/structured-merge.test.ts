import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { compareTyped, fieldSetToJson, mergeTyped, TypedError, validateTyped } from '@hykube/machinery/apply'
import type { JsonValue } from '@hykube/machinery/json'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { describeWith } from '../real-parts/index.ts'
import { type Differences, expectDifferences } from './differences.ts'
import { mergeCasesIn } from './merge-cases.ts'
import { shapeFromSchema } from './merge-schema.ts'

const mergeDifferences: Differences = {}
const validationDifferences: Differences = {}

describeWith(['structured-merge-diff'], 'the cases of structured-merge-diff', (directory) => {
  const data = (name: string) => readFileSync(join(directory, 'internal/testdata', name), 'utf8')
  const cases = (file: string) => mergeCasesIn(readFileSync(join(directory, file), 'utf8'))

  describe('field sets of objects', () => {
    test.each([
      ['pod', 'io.k8s.api.core.v1.Pod'],
      ['node', 'io.k8s.api.core.v1.Node'],
      ['endpoints', 'io.k8s.api.core.v1.Endpoints'],
    ])('%s', (name, type) => {
      const object = parse(data(`${name}.yaml`)) as JsonValue
      const expected = JSON.parse(data(`${name}set.json`))
      expect(fieldSetToJson(compareTyped(shapeFromSchema(data('k8s-schema.yaml'), type), {}, object).added)).toEqual(
        expected,
      )
    })
  })

  test('merging matches', () => {
    const failed: string[] = []
    let count = 0
    for (const { name, type, schema, columns } of cases('typed/merge_test.go')) {
      const shape = shapeFromSchema(schema, type)
      const documents = (columns.triplets ?? []).map(json)
      for (let at = 0; at + 2 < documents.length; at += 3) {
        count++
        const merged = mergeTyped(shape, documents[at]!, documents[at + 1]!)
        if (!isDeepStrictEqual(merged, documents[at + 2])) failed.push(`${name} ${at / 3}`)
      }
    }
    expect(count).toBeGreaterThan(60)
    expectDifferences(failed, mergeDifferences)
  })

  test('validation matches', () => {
    const failed: string[] = []
    let count = 0
    for (const { name, type, schema, columns } of cases('typed/validate_test.go')) {
      const shape = shapeFromSchema(schema, type)
      for (const [column, documents] of Object.entries(columns))
        for (const [at, document] of documents.entries()) {
          count++
          if (isValid(shape, document) !== (column === 'validObjects')) failed.push(`${name} ${column} ${at}`)
        }
    }
    expect(count).toBeGreaterThan(70)
    expectDifferences(failed, validationDifferences)
  })
})

function isValid(shape: Parameters<typeof validateTyped>[0], document: string): boolean {
  try {
    validateTyped(shape, json(document))
    return true
  } catch (error) {
    if (error instanceof TypedError) return false
    throw error
  }
}

function json(document: string): JsonValue {
  return parse(document) as JsonValue
}
