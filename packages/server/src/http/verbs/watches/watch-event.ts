import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import { type StatusError, statusFrom } from '@hykube/machinery/status'
import type { ObservedChange } from '../../../resource/index.ts'
import { type AcceptedForm, mediaTypes } from '../../negotiation.ts'
import { withCluster } from '../../presentation/cluster-annotation.ts'
import { partialMetadata } from '../../presentation/partial-metadata.ts'
import { protobufBytes, protobufEvent } from '../../presentation/protobuf.ts'
import { apiVersionOf, fromStorage, isServedAsStored } from '../../presentation/stored-form.ts'
import { type IncludeObject, tableOf } from '../../presentation/table.ts'
import type { Target } from '../../target.ts'

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** The type of the event that a change is for a watch without selectors. */
export function typeOfChange({ kind, previous }: ObservedChange): WatchEventType {
  if (kind === 'delete') return 'DELETED'
  return previous === undefined ? 'ADDED' : 'MODIFIED'
}

/** Encodes the events of one watch. */
export interface EventForm {
  readonly contentType: string
  /** Watches with the same name share encoded changes. Undefined means that nothing is shared. */
  readonly sharedName?: string | undefined
  /** Encodes a change; the result is shared by all watches of the same form. */
  encodeChange(change: ObservedChange, type: WatchEventType): Uint8Array
  /** Encodes an object as an event. */
  encode(type: WatchEventType, object: KubernetesObject, change?: ObservedChange): Uint8Array
  /** Encodes a bookmark: an object of the kind that has only a resourceVersion. */
  bookmark(type: ResourceType, metadata: object): Uint8Array
  /** Encodes the error that ends a watch. */
  failure(error: StatusError): Uint8Array
}

export function eventForm(target: Target, { as, media }: AcceptedForm, include: IncludeObject, now: number): EventForm {
  const write = media === 'protobuf' ? frames : lines
  if (as === undefined) return new PlainEvents(target, write)
  return as.kind === 'Table'
    ? new TableEvents(target, as.version, include, now)
    : new MetadataEvents(target, as.version, write)
}

/** Encodes one event: a line of JSON or a frame of protobuf. */
interface EventWriter {
  readonly name: 'json' | 'protobuf'
  readonly contentType: string
  readonly write: (type: string, object: unknown) => Uint8Array
}

/** One JSON document per line. */
const lines: EventWriter = { name: 'json', contentType: mediaTypes.json, write: eventLine }

/** Protobuf, each event prefixed with its length. */
const frames: EventWriter = {
  name: 'protobuf',
  contentType: `${mediaTypes.protobuf};stream=watch`,
  write: (type, object) => protobufEvent(type, protobufBytes(object as KubernetesObject)),
}

class PlainEvents implements EventForm {
  readonly contentType: string
  readonly sharedName: string | undefined
  readonly #target: Target
  readonly #writer: EventWriter
  readonly #formName: string

  constructor(target: Target, writer: EventWriter) {
    this.contentType = writer.contentType
    this.#target = target
    this.#writer = writer
    this.#formName = `${writer.name} ${apiVersionOf(target.type)} ${target.type.names.kind} `
    this.sharedName = target.allClusters
      ? undefined
      : `plain ${writer.name} ${apiVersionOf(target.type)} ${target.type.names.kind}`
  }

  encodeChange(change: ObservedChange, type: WatchEventType): Uint8Array {
    const { type: resourceType, allClusters, typeIn } = this.#target
    if (allClusters) {
      const { cluster } = change.place
      const own = typeIn(cluster) ?? resourceType
      return this.encode(type, withCluster(fromStorage(own, change.object, change.tag), cluster))
    }
    return change.encoded(this.#formName + type, () =>
      this.#writer.name === 'json' && isServedAsStored(resourceType, change.tag)
        ? wrap(type, change.bytes)
        : this.encode(type, fromStorage(resourceType, change.object, change.tag)),
    )
  }

  encode(type: WatchEventType, object: KubernetesObject): Uint8Array {
    return this.#writer.write(type, object)
  }

  bookmark(type: ResourceType, metadata: object): Uint8Array {
    return this.#writer.write('BOOKMARK', { kind: type.names.kind, apiVersion: apiVersionOf(type), metadata })
  }

  failure(error: StatusError): Uint8Array {
    return this.#writer.write('ERROR', statusFrom(error))
  }
}

class MetadataEvents implements EventForm {
  readonly contentType: string
  readonly sharedName: string | undefined
  readonly #target: Target
  readonly #version: string
  readonly #writer: EventWriter

  constructor(target: Target, version: string, writer: EventWriter) {
    this.contentType = writer.contentType
    this.#target = target
    this.sharedName = target.allClusters ? undefined : `metadata ${writer.name} ${version}`
    this.#version = version
    this.#writer = writer
  }

  encodeChange(change: ObservedChange, type: WatchEventType): Uint8Array {
    if (this.#target.allClusters) return this.encode(type, withCluster(change.object, change.place.cluster))
    return change.encoded(`${this.#writer.name} metadata ${this.#version} ${type}`, () =>
      this.encode(type, change.object),
    )
  }

  encode(type: WatchEventType, object: KubernetesObject): Uint8Array {
    return this.#writer.write(type, partialMetadata(object, this.#version))
  }

  bookmark(_type: ResourceType, metadata: object): Uint8Array {
    return this.#writer.write('BOOKMARK', { ...partialMetadata({}, this.#version), metadata })
  }

  failure(error: StatusError): Uint8Array {
    return this.#writer.write('ERROR', statusFrom(error))
  }
}

// Only the first event has the column definitions.
class TableEvents implements EventForm {
  readonly contentType = mediaTypes.json
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

  failure(error: StatusError): Uint8Array {
    return eventLine('ERROR', statusFrom(error))
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

function eventLine(type: string, object: unknown): Uint8Array {
  return Buffer.from(`{"type":"${type}","object":${stringifyJson(object as JsonValue)}}\n`)
}
