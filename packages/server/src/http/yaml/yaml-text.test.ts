import { expect, test } from 'vitest'
import { yamlText } from './yaml-text.ts'

test('sorts fields by name, as Kubernetes does', () => {
  expect(yamlText({ kind: 'A', apiVersion: 'v1', spec: { b: [{ d: 1, c: 2 }], a: 'x' } })).toBe(
    'apiVersion: v1\nkind: A\nspec:\n  a: x\n  b:\n    - c: 2\n      d: 1\n',
  )
})
