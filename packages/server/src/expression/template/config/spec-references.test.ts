import { mapType, pathToText, stringType } from '@hykube/tfplugin/value'
import { describe, expect, test } from 'vitest'
import { referenceToText } from '../syntax/reference.ts'
import { attributeOf, blockOf } from '../testing/schema.ts'
import { referencesOf, type SpecReferences } from './spec-references.ts'

function shown({ references }: SpecReferences): string[] {
  return references.map(({ reference, path, role }) => `${pathToText(path)} ${role} ${referenceToText(reference)}`)
}

function problems({ problems: found }: SpecReferences): string[] {
  return found.map(({ path, message }) => `${pathToText(path)}: ${message}`)
}

describe('the references of a spec', () => {
  test('are found at every position', () => {
    const spec = {
      name: 'a-${sim.a.id}-${secret["s"].k}',
      rules: [{ from: 1 }, { from: '${data.sim_image.x.id}' }],
      tags: { k: '${each.value}' },
      count: '${size(sim.b[*].id)}',
      for_each: { x: '${sim.c.id}' },
      depends_on: ['sim.d', 'sim["ns/e"]', 'sim.f[0]', '${sim.g}'],
      provider: 'west',
      lifecycle: { replace_triggered_by: ['sim.h', 'sim.i.id', 'sim.j[each.key].id'], prevent_destroy: true },
    }
    const found = referencesOf(undefined, spec)
    expect(shown(found)).toEqual([
      'name value sim.a.id',
      'name value secret["s"].k',
      'rules[1].from value data.sim_image.x.id',
      'tags.k value each.value',
      'count expansion sim.b[*].id',
      'for_each.x expansion sim.c.id',
      'depends_on[0] depends_on sim.d',
      'depends_on[1] depends_on sim["ns/e"]',
      'depends_on[2] depends_on sim.f[0]',
      'depends_on[3] depends_on sim.g',
      'lifecycle.replace_triggered_by[0] replace_triggered_by sim.h',
      'lifecycle.replace_triggered_by[1] replace_triggered_by sim.i.id',
      'lifecycle.replace_triggered_by[2] replace_triggered_by sim.j[each.key].id',
    ])
    expect(found.problems).toEqual([])
  })

  test('distinguish map keys from attributes if there is a schema', () => {
    const block = blockOf([attributeOf('tags', mapType(stringType))])
    expect(shown(referencesOf(block, { tags: { k: '${each.value}' } }))).toEqual(['tags["k"] value each.value'])
  })

  test('include syntax errors with their paths', () => {
    const spec = {
      name: '${sim.a.',
      depends_on: ['sim', 5],
      lifecycle: { replace_triggered_by: ['1 + 1', 'secret["a"].b'] },
    }
    expect(problems(referencesOf(undefined, spec))).toEqual([
      expect.stringMatching(/^name: .*is not terminated/),
      expect.stringMatching(/^depends_on\[0\]: "sim" is not an address/),
      'depends_on[1]: must be an address, not a number',
      expect.stringMatching(/^lifecycle.replace_triggered_by\[0\]: must be a resource or one of its attributes/),
      expect.stringMatching(/^lifecycle.replace_triggered_by\[1\]: must be a resource or one of its attributes/),
    ])
    expect(problems(referencesOf(undefined, { depends_on: 'sim.a' }))).toEqual([
      'depends_on: must be a list of addresses, not a string',
    ])
  })
})
