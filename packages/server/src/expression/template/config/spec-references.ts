import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import { AddressError, parseAddress, type ResourceAddress } from '@hykube/machinery/object'
import { type Block, impliedType } from '@hykube/tfplugin/schema'
import {
  attributeStep,
  dynamicType,
  elementType,
  indexStep,
  memberStep,
  memberType,
  type Path,
  type Type,
} from '@hykube/tfplugin/value'
import { compileTemplate } from '../evaluate/compile-template.ts'
import type { Reference, ResourceReference } from '../syntax/reference.ts'
import { resolveExpression } from '../syntax/resolve-expression.ts'
import { isWholeExpression, parseTemplate, TemplateError } from '../syntax/template.ts'
import { templateProblemText } from '../template-syntax.ts'
import type { ConfigProblem } from './config-piece.ts'
import { describeJson } from './value-compiler.ts'

/** A reference and its position in a spec. */
export interface SpecReference {
  readonly reference: Reference
  readonly path: Path
  /** The whole string at that path. */
  readonly text: string
  /** The path in the target; the expression reads nothing outside of it. */
  readonly reach: Path
  /** The use: a value, the number of instances, the order only, or a trigger of replacement. */
  readonly role: 'value' | 'expansion' | 'depends_on' | 'replace_triggered_by'
}

/** All references of a spec, and its parse errors. */
export interface SpecReferences {
  readonly references: readonly SpecReference[]
  readonly problems: readonly ConfigProblem[]
}

/** Finds all references of a spec. The schema is needed only to distinguish map keys from attributes in paths. */
export function referencesOf(block: Block | undefined, spec: JsonObject): SpecReferences {
  const finder = new Finder()
  const type = block === undefined ? dynamicType : impliedType(block)
  for (const name of Object.keys(spec)) finder.member(name, spec[name]!, type)
  return finder
}

const triggersName = 'replace_triggered_by'

class Finder implements SpecReferences {
  readonly references: SpecReference[] = []
  readonly problems: ConfigProblem[] = []

  member(name: string, json: JsonValue, type: Type): void {
    const path = [attributeStep(name)]
    switch (name) {
      case 'provider':
        break
      case 'count':
      case 'for_each':
        this.#values(json, path, dynamicType, 'expansion')
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

  #values(json: JsonValue, path: Path, type: Type, role: SpecReference['role']): void {
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
      this.problems.push({ path, message: `must be a list of addresses, not ${describeJson(json)}` })
      return
    }
    for (const [index, text] of json.entries()) {
      const at = [...path, indexStep(index)]
      if (typeof text !== 'string')
        this.problems.push({ path: at, message: `must be an address, not ${describeJson(text)}` })
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

// Unlike an address, a trigger may name an attribute, and the instance of the same key.
function triggerOf(text: string): ResourceReference {
  const { expr } = resolveExpression(withoutBraces(text), 0)
  if (expr.kind === 'reference' && expr.reference.kind === 'resource' && expr.key === undefined) return expr.reference
  throw new TemplateError('must be a resource or one of its attributes: TYPE.NAME or TYPE.NAME.ATTRIBUTE', 0)
}

/** Converts an address to a reference to the object or one of its instances. */
export function referenceOfAddress({ key, ...address }: ResourceAddress): ResourceReference {
  const instance = key === undefined ? ({ kind: 'none' } as const) : ({ kind: 'key', key } as const)
  return { kind: 'resource', ...address, instance, path: [] }
}

// Accepts ${aws_vpc.main} for aws_vpc.main, a frequent mistake.
function withoutBraces(text: string): string {
  if (!text.startsWith('${')) return text
  const template = parseTemplate(text)
  return isWholeExpression(template) ? text.slice(2, -1).trim() : text
}
