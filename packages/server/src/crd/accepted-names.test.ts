import { describe, expect, test } from 'vitest'
import { decideNames } from './accepted-names.ts'
import type { Definition } from './definition.ts'

function definition(names: object, accepted?: object, group = 'example.com'): Definition {
  return { spec: { group, names }, ...(accepted && { status: { acceptedNames: accepted } }) } as unknown as Definition
}

const widgets = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['w'] }
const wheels = { plural: 'wheels', singular: 'wheel', kind: 'Wheel', listKind: 'WheelList', shortNames: ['w'] }

describe('names of definitions', () => {
  test('are accepted when free', () => {
    expect(decideNames(definition(widgets), [])).toEqual({ names: widgets, conflict: undefined })
    expect(decideNames(definition(widgets), [definition(widgets, widgets, 'other.com')]).conflict).toBeUndefined()
  })

  test('are kept once accepted', () => {
    const { names, conflict } = decideNames(definition(wheels), [definition(widgets, widgets)])
    expect(conflict).toEqual({ reason: 'ShortNamesConflict', message: '"w" is already in use' })
    expect(names).toMatchObject({ plural: 'wheels' })
    expect(names).not.toHaveProperty('shortNames')
  })

  test('of kinds do not conflict with names of resources', () => {
    const same = { ...wheels, shortNames: [], kind: 'Widget' }
    expect(decideNames(definition(same), [definition(widgets, widgets)]).conflict?.reason).toBe('KindConflict')
  })
})
