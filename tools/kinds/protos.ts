import { readFileSync } from 'node:fs'

/** A field of a protobuf message; types of other packages have full names. */
export interface ProtoField {
  readonly number: number
  readonly repeated: boolean
  readonly map: boolean
  readonly type: string
}

/** A message and the Go package of its type. */
export interface ProtoMessage {
  readonly name: string
  readonly goPackage: string
  readonly fields: readonly ProtoField[]
}

/** Converts a protobuf message name to its OpenAPI name: `k8s.io.api.core.v1.Pod` to `io.k8s.api.core.v1.Pod`. */
export function openApiName(protoName: string): string {
  return protoName
    .replace(/^\./, '')
    .replace(/^k8s\.io\./, 'io.k8s.')
    .replace('apiextensions_apiserver', 'apiextensions-apiserver')
    .replace('kube_aggregator', 'kube-aggregator')
}

/** Parses the messages of a .proto file. */
export function readProto(file: string): ProtoMessage[] {
  const text = readFileSync(file, 'utf8').replace(/\/\/.*$/gm, '')
  const protoPackage = /^package ([\w.]+);/m.exec(text)![1]!
  const goPackage = /go_package = "([^"]+)"/.exec(text)![1]!
  return [...text.matchAll(/^message (\w+) \{([^}]*)\}/gm)].map(([, name, body]) => ({
    name: openApiName(`${protoPackage}.${name}`),
    goPackage,
    fields: readFields(body!, protoPackage),
  }))
}

function readFields(body: string, protoPackage: string): ProtoField[] {
  const fields = body.matchAll(/(?:(optional|repeated|required) )?(map<string, ([\w.]+)>|[\w.]+) \w+ = (\d+);/g)
  return [...fields].map(([, label, type, element, number]) => ({
    number: Number(number),
    repeated: label === 'repeated',
    map: element !== undefined,
    type: resolve(element ?? type!, protoPackage),
  }))
}

const scalars = new Set(['string', 'bool', 'int32', 'int64', 'uint32', 'uint64', 'double', 'float', 'bytes'])

function resolve(type: string, protoPackage: string): string {
  if (scalars.has(type)) return type
  return openApiName(type.includes('.') ? type : `${protoPackage}.${type}`)
}
