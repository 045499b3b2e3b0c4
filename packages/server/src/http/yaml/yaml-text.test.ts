import { expect, test } from 'vitest'
import { yamlText } from './yaml-text.ts'

test('fields come in the order of their names, as Kubernetes writes them', () => {
  expect(yamlText({ kind: 'A', apiVersion: 'v1', spec: { b: [{ d: 1, c: 2 }], a: 'x' } })).toBe(
    'apiVersion: v1\nkind: A\nspec:\n  a: x\n  b:\n    - c: 2\n      d: 1\n',
  )
})
