import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeKubernetesEnvelope, encodeKubernetesEnvelope, messageCodec } from '@hykube/machinery/protobuf'
import { builtInKinds, builtInResourceTypes, protobufTable, typeNameOf } from '@hykube/server/kinds'
import { describe, expect, it } from 'vitest'
import { cachedRelease } from '../../tools/kinds/modules.ts'

// Kubernetes ships an object of every kind with all fields set, as JSON and as protobuf.
const release = cachedRelease()

describe('JSON and protobuf of every built-in kind', () => {
  if (typeof release === 'string') {
    it.skip(`match Kubernetes (skipped: ${release}) [needs go]`)
    return
  }
  const directory = join(release.api, 'testdata/HEAD')
  const files = new Set(readdirSync(directory).filter((file) => file.endsWith('.pb')))
  // These two are not in the module of the other kinds.
  const elsewhere = new Set(['CustomResourceDefinition', 'APIService'])
  const kinds = builtInKinds().filter(({ kind }) => !elsewhere.has(kind))

  it.each(kinds.map(({ group, version, kind }) => [`${group === '' ? 'core' : group}.${version}.${kind}`]))(
    '%s',
    (name) => {
      expect(files.has(`${name}.pb`), `${name}.pb`).toBe(true)
      const bytes = new Uint8Array(readFileSync(join(directory, `${name}.pb`)))
      const object = JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as Record<string, unknown>
      expect(prunedForm(name, object)).toEqual({ object, unknownFields: [] })
      const { apiVersion, kind, raw } = decodeKubernetesEnvelope(bytes)
      const codec = messageCodec(tableOf(apiVersion, kind))
      expect({ apiVersion, kind, ...codec.decode(raw) }).toEqual(object)
      expect(encodeKubernetesEnvelope({ apiVersion, kind, raw: codec.encode(object) })).toEqual(bytes)
    },
  )
})

// Data written by Kubernetes is already canonical, so the conversion changes nothing.
function prunedForm(name: string, object: Record<string, unknown>) {
  const [kind, version, ...group] = name.split('.').reverse()
  const wanted = group.reverse().join('.')
  const type = builtInResourceTypes().find(
    (each) => each.names.kind === kind && each.version === version && (each.group || 'core') === wanted,
  )!
  return type.prune(object)
}

function tableOf(apiVersion: string, kind: string) {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const table = protobufTable(typeNameOf(group!, version!, kind))
  if (table === undefined) throw new Error(`no table for ${apiVersion} ${kind}`)
  return table
}
