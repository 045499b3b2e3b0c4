import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import type { ObservedChange } from '../../resource/index.ts'
import type { AcceptedForm } from '../negotiation.ts'
import { withCluster } from '../presentation/cluster-annotation.ts'
import { partialMetadata } from '../presentation/partial-metadata.ts'
import { apiVersionOf, fromStorage, isServedAsStored } from '../presentation/stored-form.ts'
import { type IncludeObject, tableOf } from '../presentation/table.ts'
import type { Target } from '../target.ts'

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** How the events of one watch are written, one JSON document a line. */
export interface EventForm {
  /** Forms of the same name write a change in the same bytes. Undefined: this one has no equal. */
  readonly sharedName?: string | undefined
  /** A change as an event. One encoding serves every watch of the same form. */
  encodeChange(change: ObservedChange, type: WatchEventType): Uint8Array
  /** An object as an event. */
  encode(type: WatchEventType, object: KubernetesObject, change?: ObservedChange): Uint8Array
  /** A bookmark: an object of the kind with nothing but a revision. */
  bookmark(type: ResourceType, metadata: object): Uint8Array
}

export function eventForm(target: Target, { as }: AcceptedForm, include: IncludeObject, now: number): EventForm {
  if (as === undefined) return new PlainEvents(target)
  return as.kind === 'Table'
    ? new TableEvents(target, as.version, include, now)
    : new MetadataEvents(target, as.version)
}

class PlainEvents implements EventForm {
  readonly sharedName: string | undefined
  readonly #target: Target
  readonly #formName: string

  constructor(target: Target) {
    this.#target = target
    this.sharedName = target.allClusters ? undefined : `plain ${apiVersionOf(target.type)} ${target.type.names.kind}`
    this.#formName = `${apiVersionOf(target.type)} ${target.type.names.kind} `
  }

  encodeChange(change: ObservedChange, type: WatchEventType): Uint8Array {
    const { type: resourceType, allClusters } = this.#target
    if (allClusters)
      return this.encode(type, withCluster(fromStorage(resourceType, change.object, change.tag), change.place.cluster))
    return change.encoded(this.#formName + type, () =>
      isServedAsStored(resourceType, change.tag)
        ? wrap(type, change.bytes)
        : this.encode(type, fromStorage(resourceType, change.object, change.tag)),
    )
  }

  encode(type: WatchEventType, object: KubernetesObject): Uint8Array {
    return eventLine(type, object)
  }

  bookmark(type: ResourceType, metadata: object): Uint8Array {
    return eventLine('BOOKMARK', { kind: type.names.kind, apiVersion: apiVersionOf(type), metadata })
  }
}

class MetadataEvents implements EventForm {
  readonly sharedName: string | undefined
  readonly #target: Target
  readonly #version: string

  constructor(target: Target, version: string) {
    this.#target = target
    this.sharedName = target.allClusters ? undefined : `metadata ${version}`
    this.#version = version
  }

  encodeChange(change: ObservedChange, type: WatchEventType): Uint8Array {
    if (this.#target.allClusters) return this.encode(type, withCluster(change.object, change.place.cluster))
    return change.encoded(`metadata ${this.#version} ${type}`, () => this.encode(type, change.object))
  }

  encode(type: WatchEventType, object: KubernetesObject): Uint8Array {
    return eventLine(type, partialMetadata(object, this.#version))
  }

  bookmark(_type: ResourceType, metadata: object): Uint8Array {
    return eventLine('BOOKMARK', { ...partialMetadata({}, this.#version), metadata })
  }
}

// The column definitions come with the first event alone.
class TableEvents implements EventForm {
  readonly #target: Target
  readonly #version: string
  readonly #include: IncludeObject
  readonly #now: number
  #begun = false

  constructor(target: Target, version: string, include: IncludeObject, now: number) {
    this.#target = target
    this.#version = version
    this.#include = include
    this.#now = now
  }

  encodeChange(change: ObservedChange, type: WatchEventType): Uint8Array {
    return this.encode(type, fromStorage(this.#target.type, change.object, change.tag))
  }

  encode(type: WatchEventType, object: KubernetesObject): Uint8Array {
    return eventLine(type, this.#table([object], { resourceVersion: object.metadata?.resourceVersion }))
  }

  bookmark(_type: ResourceType, metadata: object): Uint8Array {
    return eventLine('BOOKMARK', this.#table([{ metadata }], metadata))
  }

  #table(objects: readonly KubernetesObject[], metadata: object): object {
    const options = { version: this.#version, include: this.#include, now: this.#now, withoutHeader: this.#begun }
    this.#begun = true
    return tableOf(this.#target.type, objects, metadata, options)
  }
}

const tail = Buffer.from('}\n')

function wrap(type: WatchEventType, object: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, tail])
}

/** One line of a watch. */
export function eventLine(type: string, object: unknown): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${stringifyJson(object as JsonValue)}}\n`)
}
