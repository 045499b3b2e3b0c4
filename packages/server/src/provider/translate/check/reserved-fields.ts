import { isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import {
  AddressError,
  dnsSubdomainName,
  parseAddress,
  parseAttributeReference,
  tooMany,
  unsupportedValue,
} from '@hykube/machinery/object'
import { lifecycleModes } from '@hykube/machinery/sync-api'
import type { KindMode } from '../kind-names.ts'
import type { ObjectStructure } from '../structure.ts'
import { attributePathProblem } from './attribute-path.ts'
import { checkAnything, notWhole } from './check-value.ts'
import type { CheckWalk } from './check-walk.ts'

/** The maximum number of instances of one object, a guard against mistakes in count and for_each. */
export const maxInstances = 1_000_000

/** The fields of a spec that are not attributes: Terraform's meta-arguments. */
export function reservedNames(mode: KindMode): ReadonlySet<string> {
  return mode === 'managed' ? managedNames : dataNames
}

/** Checks the meta-arguments of a spec. */
export function checkReserved(spec: JsonObject, mode: KindMode, structure: ObjectStructure, walk: CheckWalk): void {
  for (const name of reservedNames(mode)) {
    const value = Object.hasOwn(spec, name) ? spec[name]! : null
    if (value !== null) walk.inside(name, () => checks[name as ReservedName](value, walk, structure))
  }
  if (isGiven(spec, 'count') && isGiven(spec, 'for_each'))
    walk.inside('for_each', () => walk.forbid('may not be specified when `count` is'))
}

const dataNames: ReadonlySet<string> = new Set(['count', 'for_each', 'provider', 'depends_on'])
const managedNames: ReadonlySet<string> = new Set([...dataNames, 'lifecycle'])

type ReservedName = 'count' | 'for_each' | 'provider' | 'depends_on' | 'lifecycle'
type ReservedCheck = (value: JsonValue, walk: CheckWalk, structure: ObjectStructure) => void

const checks: Readonly<Record<ReservedName, ReservedCheck>> = {
  count: checkCount,
  for_each: checkForEach,
  provider: checkProvider,
  depends_on: checkDependencies,
  lifecycle: checkLifecycle,
}

function isGiven(object: JsonObject, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== null
}

function checkCount(value: JsonValue, walk: CheckWalk): void {
  if (typeof value === 'string') checkWhole(value, walk, 'integer')
  else if (typeof value !== 'number' || !Number.isInteger(value)) walk.wrongType(value, 'integer')
  else if (value < 0) walk.invalid(value, `${walk.path} in body should be greater than or equal to 0`)
  else if (value > maxInstances)
    walk.invalid(value, `${walk.path} in body should be less than or equal to ${maxInstances}`)
}

function checkForEach(value: JsonValue, walk: CheckWalk): void {
  if (typeof value === 'string') checkWhole(value, walk, 'object or array')
  else if (Array.isArray(value)) checkTexts(value, walk, (text) => walk.template(text))
  else if (isJsonObject(value)) checkAnything(value, walk)
  else walk.wrongType(value, 'object or array')
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
  if (size > maxInstances) walk.add(tooMany(walk.path, size, maxInstances))
}

function checkProvider(value: JsonValue, walk: CheckWalk): void {
  if (typeof value !== 'string') walk.wrongType(value, 'string')
  else for (const problem of dnsSubdomainName(value)) walk.invalid(value, problem)
}

function checkDependencies(value: JsonValue, walk: CheckWalk): void {
  checkTexts(value, walk, (text) => {
    if (walk.countReferences(1) && !isAccepted(parseAddress, text))
      walk.invalid(text, 'must be the address of a resource, such as aws_vpc.main or data.aws_ami["my-ami"]')
  })
}

function checkLifecycle(value: JsonValue, walk: CheckWalk, structure: ObjectStructure): void {
  if (!isJsonObject(value)) walk.wrongType(value, 'object')
  else
    for (const name of Object.keys(value))
      walk.inside(name, () => {
        const check = Object.hasOwn(lifecycleChecks, name) ? lifecycleChecks[name] : undefined
        if (check === undefined) walk.unknown(name, Object.keys(lifecycleChecks))
        else if (value[name] !== null) check(value[name]!, walk, structure)
      })
}

const lifecycleChecks: Readonly<Record<string, ReservedCheck>> = {
  create_before_destroy: checkSwitch,
  prevent_destroy: checkSwitch,
  ignore_changes: checkIgnored,
  replace_triggered_by: checkTriggers,
  destroy: checkSwitch,
  sync: checkSync,
}

function checkSwitch(value: JsonValue, walk: CheckWalk): void {
  if (typeof value !== 'boolean') walk.wrongType(value, 'boolean')
}

function checkIgnored(value: JsonValue, walk: CheckWalk, structure: ObjectStructure): void {
  if (value === 'all') return
  if (typeof value === 'string') walk.invalid(value, 'must be a list of attributes, or "all"')
  else
    checkTexts(value, walk, (text) => {
      const problem = attributePathProblem(structure, text)
      if (problem !== undefined) walk.invalid(text, problem)
    })
}

function checkTriggers(value: JsonValue, walk: CheckWalk): void {
  checkTexts(value, walk, (text) => {
    // `[each.key]` and `[count.index]` select the instance of the same key; the parser accepts only literal keys.
    if (
      walk.countReferences(1) &&
      !isAccepted(parseAttributeReference, text.replace(/\[(?:each\.key|count\.index)\]/, '[0]'))
    )
      walk.invalid(text, 'must be the address of a resource or of one of its attributes, such as aws_vpc.main.id')
  })
}

function isAccepted(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text)
    return true
  } catch (error) {
    if (error instanceof AddressError) return false
    throw error
  }
}

const modes: ReadonlySet<string> = new Set(lifecycleModes)

function checkSync(value: JsonValue, walk: CheckWalk): void {
  if (typeof value !== 'string') walk.wrongType(value, 'string')
  else if (!modes.has(value)) walk.add(unsupportedValue(walk.path, value, [...modes]))
}

function checkWhole(text: string, walk: CheckWalk, wanted: string): void {
  if (walk.templates.isWhole(text)) walk.template(text)
  else if (walk.templates.holdsExpression(text)) walk.invalid(text, notWhole)
  else walk.wrongType(text, wanted)
}

function checkTexts(value: JsonValue, walk: CheckWalk, check: (text: string) => void): void {
  if (!Array.isArray(value)) {
    walk.wrongType(value, 'array')
    return
  }
  const seen = new Set<string>()
  for (const [index, item] of value.entries())
    walk.inside(index, () => {
      if (typeof item !== 'string') walk.wrongType(item, 'string')
      else if (seen.has(item)) walk.duplicate(item)
      else check(item)
      if (typeof item === 'string') seen.add(item)
    })
}
