import type { Path } from '@hykube/tfplugin/value'

/** A reference of an expression: to an attribute of another object, or to `each` and `count` of the current instance. */
export type Reference = ResourceReference | SecretReference | ConfigMapReference | EachReference | CountReference

/** `aws_vpc.main.id`, `provider["aws6"].data.aws_ami.x.id`, `sim_instance["net/web"][*].id` */
export interface ResourceReference {
  readonly kind: 'resource'
  /** The name of the Provider, if the reference has one. */
  readonly provider?: string
  /** True for a data source. */
  readonly data: boolean
  readonly type: string
  /** Default: the namespace of the referring object. */
  readonly namespace?: string
  readonly name: string
  readonly instance: InstanceSelector
  /** The literal path into the object, or into each selected instance; it ends before the first computed step. */
  readonly path: Path
}

export type InstanceSelector =
  /** The object itself; with count or for_each, all instances as a list or map. */
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: number | string }
  /** The instance with the key of the current instance. */
  | { readonly kind: 'same'; readonly by: 'count.index' | 'each.key' }
  /** All instances as a list: `[*]`. */
  | { readonly kind: 'all' }
  /** An instance with a computed key. Static analysis must assume all instances. Never passed to a lookup. */
  | { readonly kind: 'dynamic' }

/** `secret["ns/name"].key` */
export interface SecretReference extends KeyReference {
  readonly kind: 'secret'
}

/** `configmap["ns/name"].key` */
export interface ConfigMapReference extends KeyReference {
  readonly kind: 'configmap'
}

interface KeyReference {
  readonly namespace?: string
  readonly name: string
  readonly key: string
}

/** `each.key`, or `each.value` with a path into it. */
export interface EachReference {
  readonly kind: 'each'
  readonly part: 'key' | 'value'
  readonly path: Path
}

/** `count.index` */
export interface CountReference {
  readonly kind: 'count'
}

/** Formats a reference in its canonical form; a computed key is shown as `[...]`. */
export function referenceToText(reference: Reference): string {
  switch (reference.kind) {
    case 'resource':
      return resourceToText(reference)
    case 'secret':
    case 'configmap':
      return `${reference.kind}[${quoted(fullName(reference))}]${nameToText(reference.key)}`
    case 'each':
      return `each.${reference.part}${pathAsCode(reference.path)}`
    case 'count':
      return 'count.index'
  }
}

/** Formats an attribute access: `.name`, or `["name"]` if it is not an identifier. */
export function nameToText(name: string): string {
  return plainName.test(name) && !keywords.has(name) ? `.${name}` : `[${quoted(name)}]`
}

/** Formats a string literal. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}

const plainName = /^[A-Za-z_]\w*$/
const keywords = new Set(['true', 'false', 'null', 'in', '__'])

function resourceToText({ provider, data, type, name, namespace, instance, path }: ResourceReference): string {
  const from = provider === undefined ? '' : `provider[${quoted(provider)}].`
  const object = namespace === undefined ? nameToText(name) : `[${quoted(fullName({ namespace, name }))}]`
  return `${from}${data ? 'data.' : ''}${type}${object}${instanceToText(instance)}${pathAsCode(path)}`
}

function fullName({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`
}

function instanceToText(instance: InstanceSelector): string {
  switch (instance.kind) {
    case 'none':
      return ''
    case 'key':
      return typeof instance.key === 'number' ? `[${instance.key}]` : `[${quoted(instance.key)}]`
    case 'same':
      return `[${instance.by}]`
    case 'all':
      return '[*]'
    case 'dynamic':
      return '[...]'
  }
}

function pathAsCode(path: Path): string {
  return path
    .map((step) => {
      if (step.kind === 'attribute') return nameToText(step.name)
      return step.kind === 'key' ? `[${quoted(step.key)}]` : `[${step.index}]`
    })
    .join('')
}
