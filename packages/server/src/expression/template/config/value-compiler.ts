import {
  getOwn,
  isJsonObject,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '@hykube/machinery/json'
import {
  attributeStep,
  canonicalSet,
  convertValue,
  Decimal,
  dynamicType,
  indexStep,
  isUnknown,
  keyStep,
  type ObjectType,
  type Path,
  type TupleType,
  type Type,
  Typed,
  typeFromJson,
  typeToText,
  type Value,
  ValueError,
} from '@hykube/tfplugin/value'
import { compileTemplate } from '../evaluate/compile-template.ts'
import { TemplateError } from '../syntax/template.ts'
import { templateProblemText } from '../template-syntax.ts'
import { noAttributeText } from '../types/path-type.ts'
import {
  type ConfigProblem,
  constantPiece,
  listPiece,
  mappedPiece,
  nullPiece,
  objectPiece,
  type Piece,
  type TemplateSite,
} from './config-piece.ts'

/** A position in a configuration: its path, and the path of the outermost enclosing set, if there is one. */
export interface Place {
  readonly path: Path
  readonly set?: Path
}

/** Compiles JSON to provider values, and collects templates and problems. */
export class ValueCompiler {
  readonly sites: TemplateSite[] = []
  readonly problems: ConfigProblem[] = []

  /** Compiles JSON to a value of a type. */
  typed(json: JsonValue, type: Type, place: Place): Piece {
    if (json === null) return nullPiece
    if (typeof json === 'string') return this.text(json, type, place)
    switch (type.kind) {
      case 'dynamic':
        return this.#dynamic(json, place)
      case 'list':
        return listPiece(this.#elements(json, type, () => type.element, place))
      case 'tuple':
        return this.#tuple(json, type, place)
      case 'set':
        return listPiece(
          this.#elements(json, type, () => type.element, inSet(place)),
          (values) => canonicalSet(values, type.element),
        )
      case 'map':
        return this.#map(json, type, type.element, place)
      case 'object':
        return this.#object(json, type, place)
      default:
        return this.#scalar(json, type, place)
    }
  }

  /** Compiles a string, which may contain expressions, to a value of a type. */
  text(text: string, type: Type, place: Place): Piece {
    if (!text.includes('${')) return this.#converted(text, type, place)
    try {
      const compiled = compileTemplate(text)
      const [first] = compiled.template.parts
      if (compiled.exprs.length === 0) return this.#converted((first as { text: string }).text, type, place)
      const site = { compiled, expected: type, path: place.path, mark: place.set ?? place.path }
      this.sites.push(site)
      return { kind: 'computed', compute: (at) => at.template(site) }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      return this.refuse(place, templateProblemText(error, text))
    }
  }

  /** Compiles JSON without a declared type: lists become tuples, objects stay objects. */
  inferred(json: JsonValue, place: Place): Piece {
    if (typeof json === 'string') return this.text(json, dynamicType, place)
    if (Array.isArray(json))
      return listPiece(json.map((item, index) => this.inferred(item, within(place, indexStep(index)))))
    if (!isJsonObject(json)) return constantPiece(this.#leaf(json, place))
    if (isEscape(json)) return this.#escaped(json, place)
    return objectPiece(
      Object.keys(json).map((name) => [name, this.inferred(json[name]!, within(place, attributeStep(name)))]),
    )
  }

  /** Records a problem; the value becomes null. */
  refuse(place: Place, message: string): Piece {
    this.problems.push({ path: place.path, message })
    return nullPiece
  }

  /** Records a problem, with a suggestion, for each unknown name of an object. */
  refuseOthers(json: JsonObject, names: ReadonlySet<string>, place: Place): void {
    for (const name of Object.keys(json)) {
      if (names.has(name)) continue
      this.refuse(within(place, attributeStep(name)), noAttributeText(name, names))
    }
  }

  #dynamic(json: JsonValue, place: Place): Piece {
    return mappedPiece(this.inferred(json, place), (value) => convertValue(value, dynamicType))
  }

  // {"$type": …, "$value": …} states the type of a dynamic value explicitly.
  #escaped(json: JsonObject, place: Place): Piece {
    const type = this.#typeFrom(json.$type!, place)
    const piece = this.typed(json.$value!, type, place)
    if (type.kind === 'dynamic') return piece
    return mappedPiece(piece, (value) => {
      return value === null || isUnknown(value) || value instanceof Typed ? value : new Typed(type, value)
    })
  }

  #typeFrom(json: JsonValue, place: Place): Type {
    try {
      return typeFromJson(stringifyJson(json))
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      this.refuse(place, `$type: ${error.problem}`)
      return dynamicType
    }
  }

  #tuple(json: JsonValue, type: TupleType, place: Place): Piece {
    if (Array.isArray(json) && json.length !== type.elements.length)
      return this.refuse(place, `${type.elements.length} elements are expected here, not ${json.length}`)
    return listPiece(this.#elements(json, type, (index) => type.elements[index]!, place))
  }

  #elements(json: JsonValue, type: Type, element: (index: number) => Type, place: Place): Piece[] {
    if (Array.isArray(json))
      return json.map((item, index) => this.typed(item, element(index), within(place, indexStep(index))))
    this.refuse(place, mismatch(type, json))
    return []
  }

  #map(json: JsonValue, type: Type, element: Type, place: Place): Piece {
    if (!isJsonObject(json)) return this.refuse(place, mismatch(type, json))
    return objectPiece(
      Object.keys(json).map((key) => [
        key.normalize('NFC'),
        this.typed(json[key]!, element, within(place, keyStep(key))),
      ]),
    )
  }

  #object(json: JsonValue, type: ObjectType, place: Place): Piece {
    if (!isJsonObject(json)) return this.refuse(place, mismatch(type, json))
    this.refuseOthers(json, new Set(type.attributes.keys()), place)
    return objectPiece(
      [...type.attributes].map(([name, of]) => [
        name,
        this.typed(getOwn(json, name) ?? null, of, within(place, attributeStep(name))),
      ]),
    )
  }

  #scalar(json: JsonValue, type: Type, place: Place): Piece {
    if (isJsonObject(json) || Array.isArray(json)) return this.refuse(place, mismatch(type, json))
    return this.#converted(this.#leaf(json, place), type, place)
  }

  #leaf(json: null | string | number | boolean | JsonNumber, place: Place): Value {
    if (typeof json === 'number') return Decimal.fromNumber(json) ?? null
    if (!(json instanceof JsonNumber)) return json
    const decimal = Decimal.parse(json.text)
    if (decimal === undefined) this.refuse(place, 'the number is out of range')
    return decimal ?? null
  }

  #converted(value: Value, type: Type, place: Place): Piece {
    try {
      return constantPiece(convertValue(value, type))
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      return this.refuse(place, error.problem)
    }
  }
}

/** Extends a position by one step. */
export function within({ path, set }: Place, step: Path[number]): Place {
  return set === undefined ? { path: [...path, step] } : { path: [...path, step], set }
}

/** Marks a position as a set; the outermost set is kept. */
export function inSet({ path, set }: Place): Place {
  return { path, set: set ?? path }
}

/** The message for a value of the wrong type. */
export function mismatch(type: Type, json: JsonValue): string {
  return `${typeToText(type)} is expected here, not ${describeJson(json)}`
}

/** Names the type of a JSON value for messages. */
export function describeJson(json: JsonValue): string {
  if (json === null) return 'null'
  if (Array.isArray(json)) return 'a list'
  if (isJsonObject(json)) return 'an object'
  return typeof json === 'string' ? 'a string' : typeof json === 'boolean' ? 'a bool' : 'a number'
}

function isEscape(json: JsonObject): boolean {
  return Object.hasOwn(json, '$type') && Object.hasOwn(json, '$value') && Object.keys(json).length === 2
}
