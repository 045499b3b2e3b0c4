import { expect, test } from 'vitest'
import { aggregatedRules } from './aggregation.ts'

const rule = (resource: string) => ({ verbs: ['get'], apiGroups: [''], resources: [resource] })
const role = (name: string, labels: object, ...rules: object[]) => ({ metadata: { name, labels }, rules })
const gathering = (...clusterRoleSelectors: object[]) => ({
  metadata: { name: 'all', labels: { to: 'view' } },
  aggregationRule: { clusterRoleSelectors },
})
const byLabel = (value: string) => ({ matchLabels: { to: value } })

test('collects the rules of matching roles by name, without duplicates and its own', () => {
  const roles = [
    role('b', { to: 'view' }, rule('b'), rule('shared')),
    role('a', { to: 'view' }, rule('a'), rule('shared')),
    role('c', { to: 'edit' }, rule('c')),
    role('all', { to: 'view' }, rule('own')),
  ]
  expect(aggregatedRules(gathering(byLabel('view')), roles)).toEqual([rule('a'), rule('shared'), rule('b')])
  expect(aggregatedRules(gathering(byLabel('edit'), byLabel('view')), roles)?.[0]).toEqual(rule('c'))
})

test('returns undefined without changes', () => {
  const roles = [role('a', { to: 'view' }, rule('a'))]
  expect(aggregatedRules({ ...gathering(byLabel('view')), rules: [rule('a')] }, roles)).toBeUndefined()
  expect(aggregatedRules(role('plain', {}, rule('x')), roles)).toBeUndefined()
  expect(aggregatedRules({ ...gathering(byLabel('none')), rules: [rule('a')] }, roles)).toEqual([])
})

test.each<[string, object, boolean]>([
  ['In', { key: 'to', operator: 'In', values: ['view', 'edit'] }, true],
  ['In without it', { key: 'to', operator: 'In', values: ['edit'] }, false],
  ['NotIn', { key: 'to', operator: 'NotIn', values: ['edit'] }, true],
  ['NotIn without the label', { key: 'other', operator: 'NotIn', values: ['view'] }, true],
  ['Exists', { key: 'to', operator: 'Exists' }, true],
  ['DoesNotExist', { key: 'to', operator: 'DoesNotExist' }, false],
  ['an unknown operator', { key: 'to', operator: 'Like' }, false],
])('matches by expression: %s', (_, expression, chosen) => {
  const rules = aggregatedRules(gathering({ matchExpressions: [expression] }), [role('a', { to: 'view' }, rule('a'))])
  expect(rules !== undefined && rules.length === 1).toBe(chosen)
})
