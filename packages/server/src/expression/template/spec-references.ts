import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import {
  attributeStep,
  type Block,
  impliedType,
  indexStep,
  keyStep,
  type Path,
  type PathStep,
  type Type,
} from '@hykube/tfplugin/value'
import { type Address, AddressError, parseAddress } from '../address.ts'
import { compileTemplate } from './compile-template.ts'
import type { ConfigProblem } from './config-piece.ts'
import { readExpression } from './read-formula.ts'
import type { Reference, ResourceReference } from './reference.ts'
import { isWholeExpression, parseTemplate, TemplateError } from './template.ts'
import { templateProblemText } from './template-syntax.ts'
import { describeJson } from './value-compiler.ts'

/** A reference and where it stands in a spec. */
export interface SpecReference {
  readonly reference: Reference
  readonly path: Path
  /** The whole text at that path. */
  readonly text: string
  /** The path in the target below which the expression can read. */
  readonly reach: Path
  /** What it is there for: its value, the number of instances, the order alone, or replacing along with it. */
  readonly role: 'value' | 'expansion' | 'depends_on' | 'replace_triggered_by'
}

/** All references of a spec, and what could not be read. */
export interface SpecReferences {
  readonly references: readonly SpecReference[]
  readonly problems: readonly ConfigProblem[]
}

/** Finds every reference of a spec. With a schema, keys of maps are told from names of attributes in paths. */
export function referencesOf(block: Block | undefined, spec: JsonObject): SpecReferences {
  const finder = new Finder()
  const type = block === undefined ? undefined : impliedType(block)
  for (const name of Object.keys(spec)) finder.member(name, spec[name]!, type)
  return finder
}

const triggersName = 'replace_triggered_by'

class Finder implements SpecReferences {
  readonly references: SpecReference[] = []
  readonly problems: ConfigProblem[] = []

  member(name: string, json: JsonValue, type: Type | undefined): void {
    const path = [attributeStep(name)]
    switch (name) {
      case 'provider':
        break
      case 'count':
      case 'for_each':
        this.#values(json, path, undefined, 'expansion')
        break
      case 'depends_on':
        this.#list(json, path, 'depends_on', dependencyOf)
        break
      case 'lifecycle':
        this.#triggers(json, path)
        break
      default:
        this.#values(json, path, memberType(type, name), 'value')
    }
  }

  #triggers(lifecycle: JsonValue, path: Path): void {
    const triggers = isJsonObject(lifecycle) ? getOwn(lifecycle, triggersName) : undefined
    if (triggers !== undefined) this.#list(triggers, [...path, attributeStep(triggersName)], triggersName, triggerOf)
  }

  #values(json: JsonValue, path: Path, type: Type | undefined, role: SpecReference['role']): void {
    if (typeof json === 'string') {
      this.#text(json, path, role)
    } else if (Array.isArray(json)) {
      for (const [index, item] of json.entries())
        this.#values(item, [...path, indexStep(index)], elementType(type, index), role)
    } else if (isJsonObject(json)) {
      for (const name of Object.keys(json))
        this.#values(json[name]!, [...path, memberStep(type, name)], memberType(type, name), role)
    }
  }

  #text(text: string, path: Path, role: SpecReference['role']): void {
    if (!text.includes('${')) return
    this.#reading(path, text, () => {
      for (const { reference, reach } of compileTemplate(text).references)
        this.references.push({ reference, path, text, reach, role })
    })
  }

  #list(json: JsonValue, path: Path, role: SpecReference['role'], read: (text: string) => ResourceReference): void {
    if (json === null) return
    if (!Array.isArray(json)) {
      this.problems.push({ path, message: `a list of addresses is expected here, not ${describeJson(json)}` })
      return
    }
    for (const [index, text] of json.entries()) {
      const at = [...path, indexStep(index)]
      if (typeof text !== 'string')
        this.problems.push({ path: at, message: `an address is expected here, not ${describeJson(text)}` })
      else
        this.#reading(at, text, () => {
          const reference = read(text)
          this.references.push({ reference, path: at, text, reach: reference.path, role })
        })
    }
  }

  #reading(path: Path, text: string, read: () => void): void {
    try {
      read()
    } catch (error) {
      if (error instanceof TemplateError) this.problems.push({ path, message: templateProblemText(error, text) })
      else if (error instanceof AddressError) this.problems.push({ path, message: error.message })
      else throw error
    }
  }
}

function dependencyOf(text: string): ResourceReference {
  return referenceOfAddress(parseAddress(withoutBraces(text)))
}

// Unlike an address it may lead to an attribute, and to the instance of the same key.
function triggerOf(text: string): ResourceReference {
  const { formula } = readExpression(withoutBraces(text), 0)
  if (formula.kind === 'reference' && formula.reference.kind === 'resource' && formula.key === undefined)
    return formula.reference
  throw new TemplateError('a resource or an attribute of one is expected here, as TYPE.NAME or TYPE.NAME.ATTRIBUTE', 0)
}

/** The reference to a whole object, or to one of its instances. */
export function referenceOfAddress({ key, ...address }: Address): ResourceReference {
  const instance = key === undefined ? ({ kind: 'none' } as const) : ({ kind: 'key', key } as const)
  return { kind: 'resource', ...address, instance, path: [] }
}

// Those who are used to expressions write ${aws_vpc.main} here too.
function withoutBraces(text: string): string {
  if (!text.startsWith('${')) return text
  const template = parseTemplate(text)
  return isWholeExpression(template) ? text.slice(2, -1).trim() : text
}

function memberStep(type: Type | undefined, name: string): PathStep {
  return type?.kind === 'map' ? keyStep(name) : attributeStep(name)
}

function memberType(type: Type | undefined, name: string): Type | undefined {
  if (type?.kind === 'object') return type.attributes.get(name)
  return type?.kind === 'map' ? type.element : undefined
}

function elementType(type: Type | undefined, index: number): Type | undefined {
  if (type?.kind === 'tuple') return type.elements[index]
  return type?.kind === 'list' || type?.kind === 'set' ? type.element : undefined
}
