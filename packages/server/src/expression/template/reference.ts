import type { Path } from '@hykube/tfplugin/value'

/** What an expression looks up: a part of another object, or of the instance that it is evaluated for. */
export type Reference = ResourceReference | SecretReference | ConfigMapReference | EachReference | CountReference

/** `aws_vpc.main.id`, `provider["aws6"].data.aws_ami.x.id`, `sim_instance["net/web"][*].id` */
export interface ResourceReference {
  readonly kind: 'resource'
  /** The name of the Provider, when it is said outright. */
  readonly provider?: string
  /** Whether it is a data source. */
  readonly data: boolean
  readonly type: string
  /** When it is not that of the object in which the reference stands. */
  readonly namespace?: string
  readonly name: string
  readonly instance: InstanceSelector
  /** The way into the object, or into each of the instances, as far as it is known without evaluating. */
  readonly path: Path
}

export type InstanceSelector =
  /** The object itself; of a batch all instances together. */
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: number | string }
  /** The one with the key of the instance that is evaluated. */
  | { readonly kind: 'same'; readonly by: 'count.index' | 'each.key' }
  /** All of them, as a list: `[*]`. */
  | { readonly kind: 'all' }
  /** One of them, whose key is computed: whoever asks statically must take it for all. Never looked up. */
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

/** `each.key`, `each.value` and what is in it. */
export interface EachReference {
  readonly kind: 'each'
  readonly part: 'key' | 'value'
  readonly path: Path
}

/** `count.index` */
export interface CountReference {
  readonly kind: 'count'
}

/** The one text that a reference is written as; what is computed in it as `[...]`. */
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

/** A name behind a dot, or in brackets when it can't stand there. */
export function nameToText(name: string): string {
  return plainName.test(name) && !keywords.has(name) ? `.${name}` : `[${quoted(name)}]`
}

/** A text as a literal of expressions. */
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
