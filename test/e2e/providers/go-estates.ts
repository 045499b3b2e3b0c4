/** The desired resources after a step, by address. */
export interface Step {
  readonly title: string
  readonly resources: Readonly<Record<string, object>>
}

const everything = {
  name: 'all',
  an_int64: 9007199254740991,
  an_int32: 7,
  a_float64: 1.5,
  a_float32: 0.5,
  a_number: 12345.678,
  a_list: ['x', 'z'],
  a_set: ['b', 'a'],
  a_map: { one: 1 },
  an_object: { text: 't', flag: true },
  a_list_of_objects: [{ text: 'u', flag: false }],
  a_dynamic: { deep: [1, 'two', { three: true }] },
  once_version: 1,
  one: { key: 'k', value: 2.25, words: ['w'] },
  listed: [{ key: 'l1' }, { key: 'l2', given: 'own' }],
  gathered: [{ key: 'g1' }, { key: 'g2', words: ['z'] }],
  mapped: { m: { key: 'in-m' } },
  single_block: { key: 's', size: 3 },
  list_block: [{ key: 'b1', deeper: [{ key: 'd1', size: 1 }] }, { size: 2 }],
  set_block: [{ key: 'sb1' }, { key: 'sb2', size: 4 }],
}

const thing = {
  name: 't',
  size: 5,
  word: 'MiXed',
  enabled: false,
  ratio: 0.1,
  tags: { a: 'b' },
  ports: [8080, 22, 1022],
  names: ['n1', 'n2'],
  rule: [{ port: 443 }, { port: 53, protocol: 'udp' }],
  disk: [{ gb: 10 }],
  timeouts: { create: '1m' },
}

function frame(type: string): readonly Step[] {
  const note = { name: 'a', text: `made: \${${type}_everything.all.digest}` }
  const changed = {
    ...everything,
    a_list: ['x'],
    a_set: ['a', 'c'],
    listed: [{ key: 'l2', given: 'own' }],
    a_string: 'own',
  }
  return [
    { title: 'create', resources: { [`${type}_everything.all`]: everything, [`${type}_note.a`]: note } },
    { title: 'update', resources: { [`${type}_everything.all`]: changed, [`${type}_note.a`]: note } },
    {
      title: 'replace',
      resources: { [`${type}_everything.all`]: { ...changed, name: 'other' }, [`${type}_note.a`]: note },
    },
    { title: 'delete', resources: {} },
  ]
}

function legacy(type: string): readonly Step[] {
  const at = `${type}_thing.t`
  const larger = { ...thing, size: 6, word: 'OTHER', rule: [{ port: 443 }], tags: {}, disk: [{ gb: 20 }] }
  return [
    { title: 'create', resources: { [at]: thing } },
    { title: 'update', resources: { [at]: larger } },
    { title: 'replace', resources: { [at]: { ...larger, size: 1 } } },
    { title: 'delete', resources: {} },
  ]
}

/** The steps that each Go provider is led through. */
export const estates: Readonly<Record<string, readonly Step[]>> = {
  frame: frame('frame'),
  legacy: legacy('legacy'),
  mixed: frame('mixed').map(({ title, resources }, at) => ({
    title,
    resources: { ...resources, ...legacy('mixed')[at]!.resources },
  })),
}
