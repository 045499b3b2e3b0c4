import { isJsonObject, type JsonObject, type JsonValue, jsonEquals, jsonTypeOf, setOwn } from '../json/index.ts'
import { StatusError } from '../status/index.ts'
import { DocumentDraft, type Place } from './document-draft.ts'
import { indexFromKey, keysOfPointer } from './json-pointer.ts'
import { inapplicablePatch, malformedPatch } from './patch-failure.ts'

/** The limit on operations in one JSON patch, as in kube-apiserver. */
export const maximumJsonPatchOperations = 10_000

/** The limit on the bytes added by all copy operations of a patch: repeated copies double a document each time. */
export const maximumJsonPatchCopyBytes = 3 * 1024 * 1024

/**
 * Applies a JSON patch (RFC 6902) with the deviations of kube-apiserver: negative list indexes count from the end, and
 * replacing an absent field sets it. The document is not modified. Throws `StatusError`: BadRequest for a malformed patch,
 * Invalid for one that does not apply to the document, RequestEntityTooLarge for too many operations.
 */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): JsonValue {
  const operations = operationsOf(patch)
  const application = new JsonPatchApplication(document)
  for (const operation of operations) application.run(operation)
  return application.result
}

// Checks the type of every operation before the first is applied, with the messages of Go's decoder.
function operationsOf(patch: JsonValue): JsonObject[] {
  if (!Array.isArray(patch))
    throw malformedPatch(`error decoding patch: ${typeMismatch(patch, '[]handlers.jsonPatchOp')}`)
  for (const operation of patch) {
    if (!isJsonObject(operation)) throw malformedPatch(typeMismatch(operation, 'jsonpatch.Operation'))
  }
  if (patch.length > maximumJsonPatchOperations) {
    const limit = `The allowed maximum operations in a JSON patch is ${maximumJsonPatchOperations}, got ${patch.length}`
    throw new StatusError('RequestEntityTooLarge', `Request entity is too large: ${limit}`)
  }
  return patch as JsonObject[]
}

class JsonPatchApplication {
  readonly #draft: DocumentDraft
  #copied = 0

  constructor(document: JsonValue) {
    this.#draft = new DocumentDraft(document)
  }

  get result(): JsonValue {
    return this.#draft.root
  }

  run(operation: JsonObject): void {
    const kind = typeof operation.op === 'string' ? operation.op : 'unknown'
    switch (kind) {
      case 'add':
        this.#add(pointerOf(operation, 'path', kind), valueIn(operation, kind), kind)
        break
      case 'remove':
        this.#remove(pointerOf(operation, 'path', kind), kind)
        break
      case 'replace':
        this.#replace(pointerOf(operation, 'path', kind), valueIn(operation, kind))
        break
      case 'move':
        this.#move(pointerOf(operation, 'from', kind), pointerOf(operation, 'path', kind))
        break
      case 'copy':
        this.#copy(pointerOf(operation, 'from', kind), pointerOf(operation, 'path', kind))
        break
      case 'test':
        this.#test(pointerOf(operation, 'path', kind), valueIn(operation, kind))
        break
      default:
        throw inapplicablePatch(`Unexpected kind: ${kind}`)
    }
  }

  #add(pointer: Pointer, value: JsonValue, kind: string): void {
    if (pointer.keys.length === 0) {
      this.#draft.replaceRoot(value)
      return
    }
    const { container, key } = this.#place(pointer, kind)
    if (!Array.isArray(container)) setOwn(container, key, value)
    else if (key === '-') container.push(value)
    else container.splice(listIndex(key, container.length + 1, kind, pointer), 0, value)
  }

  #remove(pointer: Pointer, kind: string): JsonValue {
    const { container, key } = this.#place(pointer, kind)
    if (Array.isArray(container)) return container.splice(listIndex(key, container.length, kind, pointer), 1)[0]!
    if (!Object.hasOwn(container, key)) {
      throw inapplicablePatch(
        `error in ${kind} for path: '${pointer.text}': Unable to remove nonexistent key: ${key}: missing value`,
      )
    }
    const removed = container[key]!
    delete container[key]
    return removed
  }

  #replace(pointer: Pointer, value: JsonValue): void {
    if (pointer.keys.length === 0) {
      this.#draft.replaceRoot(value)
      return
    }
    const { container, key } = this.#place(pointer, 'replace')
    if (Array.isArray(container)) container[listIndex(key, container.length, 'replace', pointer)] = value
    else setOwn(container, key, value)
  }

  #move(from: Pointer, to: Pointer): void {
    if (to.keys.length > from.keys.length && from.keys.every((key, index) => to.keys[index] === key)) {
      throw inapplicablePatch(`move operation does not apply: ${to.text} is inside ${from.text}`)
    }
    // An empty `from` is the whole document, which can only be moved onto itself.
    if (from.keys.length > 0) this.#add(to, this.#remove(from, 'move'), 'move')
  }

  #copy(from: Pointer, to: Pointer): void {
    const value = this.#draft.read(from.keys)
    if (value === undefined)
      throw inapplicablePatch(`copy operation does not apply: doc is missing from path: ${from.text}: missing value`)
    this.#copied += JSON.stringify(value).length
    if (this.#copied > maximumJsonPatchCopyBytes) {
      throw inapplicablePatch(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copied}, exceeding the limit ${maximumJsonPatchCopyBytes}`,
      )
    }
    this.#add(to, structuredCopy(value), 'copy')
  }

  #test(pointer: Pointer, value: JsonValue): void {
    const actual = this.#draft.read(pointer.keys)
    // An absent field equals null, but an absent list index fails the test.
    const isEqual = actual === undefined ? value === null && this.#mayBeAbsent(pointer) : jsonEquals(actual, value)
    if (!isEqual) throw inapplicablePatch(`testing value ${pointer.text} failed: test failed`)
  }

  #mayBeAbsent({ keys }: Pointer): boolean {
    return isJsonObject(this.#draft.read(keys.slice(0, -1)))
  }

  #place(pointer: Pointer, kind: string): Place {
    const place = this.#draft.place(pointer.keys)
    if (place === undefined) {
      throw inapplicablePatch(
        `${kind} operation does not apply: doc is missing path: ${JSON.stringify(pointer.text)}: missing value`,
      )
    }
    return place
  }
}

interface Pointer {
  readonly text: string
  readonly keys: readonly string[]
}

function pointerOf(operation: JsonObject, field: 'path' | 'from', kind: string): Pointer {
  const text = operation[field]
  const keys = typeof text === 'string' ? keysOfPointer(text) : undefined
  if (keys === undefined) throw inapplicablePatch(`${kind} operation failed to decode ${field}: missing value`)
  return { text: text as string, keys }
}

function valueIn(operation: JsonObject, kind: string): JsonValue {
  if (!Object.hasOwn(operation, 'value'))
    throw inapplicablePatch(`${kind} operation, missing value field: missing value`)
  return operation.value!
}

function listIndex(key: string, length: number, kind: string, pointer: Pointer): number {
  try {
    return indexFromKey(key, length)
  } catch (error) {
    throw inapplicablePatch(`error in ${kind} for path: '${pointer.text}': ${(error as Error).message}`)
  }
}

/** Returns a deep copy, so that a later operation on the copy does not change the source. */
function structuredCopy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(structuredCopy)
  if (!isJsonObject(value)) return value
  const copy: JsonObject = {}
  for (const key of Object.keys(value)) setOwn(copy, key, structuredCopy(value[key]!))
  return copy
}

function typeMismatch(value: JsonValue, type: string): string {
  return `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${type}`
}
