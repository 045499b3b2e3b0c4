import type { ListShape, StructShape, TypeShape } from '@hykube/machinery/schema'
import { describe, expect, it } from 'vitest'
import { typeShape } from './type-shapes.ts'

function at(shape: TypeShape, ...path: string[]): TypeShape {
  let here = shape
  for (const name of path) {
    here = name === '[]' ? (here as ListShape).element : (here as StructShape).field(name)!
  }
  return here
}

describe('the shape of a built-in type', () => {
  const pod = typeShape('io.k8s.api.core.v1.Pod')

  it('describes how lists merge', () => {
    expect(at(pod, 'spec', 'containers')).toMatchObject({
      kind: 'list',
      listType: 'map',
      listMapKeys: ['name'],
      patchStrategies: ['merge'],
      patchMergeKey: 'name',
    })
    expect(at(pod, 'spec', 'volumes')).toMatchObject({ patchStrategies: ['merge', 'retainKeys'] })
    expect(at(pod, 'spec', 'containers', '[]', 'command')).toMatchObject({ kind: 'list', listType: 'atomic' })
    expect(at(pod, 'metadata', 'finalizers')).toMatchObject({
      kind: 'list',
      listType: 'set',
      patchStrategies: ['merge'],
    })
  })

  it('has the default of an omitted merge key', () => {
    const ports = at(pod, 'spec', 'containers', '[]', 'ports') as ListShape
    expect(ports.listMapKeys).toEqual(['containerPort', 'protocol'])
    expect(ports.listMapKeyDefaults).toMatchObject({ protocol: 'TCP' })
  })

  it('includes the fields of inlined types', () => {
    expect(at(pod, 'spec', 'volumes', '[]', 'configMap', 'name')).toEqual({ kind: 'scalar', type: 'string' })
  })

  it('is atomic where Kubernetes says so', () => {
    expect(at(pod, 'spec', 'nodeSelector')).toMatchObject({ kind: 'map', mapType: 'atomic' })
    expect(at(pod, 'spec', 'imagePullSecrets', '[]')).toMatchObject({ kind: 'struct', structType: 'atomic' })
  })

  it('is the same object every time', () => {
    expect(at(pod, 'spec')).toBe(at(pod, 'spec'))
    expect(typeShape('io.k8s.api.core.v1.Pod')).toBe(pod)
    expect((pod as StructShape).field('nothing')).toBeUndefined()
  })
})
