import { describe, expect, test } from 'vitest'
import { jsonPathFromText } from './json-path.ts'

const object = {
  spec: {
    a: 1,
    'b.c': 'dotted',
    list: [
      { name: 'x', v: 1 },
      { name: 'y', v: 2 },
    ],
  },
  metadata: { labels: { 'app.kubernetes.io/name': 'web' } },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Other', status: 'False' },
    ],
  },
}

describe('the JSONPath of a column', () => {
  test.each([
    ['.spec.a', [1]],
    ['.spec.missing', []],
    ['.spec.missing.deeper', []],
    ["['spec']['a']", [1]],
    [".spec['b.c']", ['dotted']],
    ['.spec.b\\.c', ['dotted']],
    ['.metadata.labels.app\\.kubernetes\\.io/name', ['web']],
    ['.spec.list[0].name', ['x']],
    ['.spec.list[-1].name', ['y']],
    ['.spec.list[*].v', [1, 2]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ["{.status.conditions[?(@.type == 'Other')].status}", ['False']],
    ['.spec.list[?(@.v!=1)].name', ['y']],
  ] as const)('%s', (path, found) => {
    expect(jsonPathFromText(path)!(object)).toEqual(found)
  })

  test.each(['spec.a', '.spec[', '.spec[?(bad)]'])('%s is invalid', (path) => {
    expect(jsonPathFromText(path)).toBeUndefined()
  })
})
