import {
  microTimeFromText,
  microTimeToText,
  quantityFromJson,
  quantityToText,
  timeFromText,
  timeToText,
} from '@hykube/machinery/amounts'
import { JsonNumber } from '@hykube/machinery/json'
import { type Form, type FormContext, notHandled, wrongType } from './form-context.ts'

/**
 * Returns the form of a scalar (`string`, `int32`, …) or of a type with a custom JSON encoding; undefined for others.
 */
export function leafForm(name: string): Form | undefined {
  return leaves[name]
}

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const extensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'

const stringForm: Form = (value, context, owner) => {
  if (typeof value === 'string') return value
  if (value === null) return ''
  throw wrongType(value, context, owner, 'string')
}

const anyForm: Form = (value) => value

const leaves: Readonly<Record<string, Form>> = {
  string: stringForm,
  bool: (value, context, owner) => {
    if (typeof value === 'boolean') return value
    if (value === null) return false
    throw wrongType(value, context, owner, 'bool')
  },
  int32: integerForm('int32', -(2 ** 31), 2 ** 31 - 1),
  int64: integerForm('int64', -(2n ** 63n), 2n ** 63n - 1n),
  uint32: integerForm('uint32', 0, 2 ** 32 - 1),
  uint64: integerForm('uint64', 0, 2n ** 64n - 1n),
  double: numberForm('float64'),
  float: numberForm('float32'),
  bytes: (value, context, owner) => {
    if (value === null) return null
    if (typeof value !== 'string') throw wrongType(value, context, owner, '[]uint8')
    return checkedBase64(value, context)
  },
  [`${meta}.Time`]: timeForm((text) => {
    const time = timeFromText(text)
    return time === undefined ? undefined : timeToText(time)
  }, '2006-01-02T15:04:05Z07:00'),
  [`${meta}.MicroTime`]: timeForm((text) => {
    const time = microTimeFromText(text)
    return time === undefined ? undefined : microTimeToText(time)
  }, '2006-01-02T15:04:05.000000Z07:00'),
  [`${meta}.Duration`]: stringForm,
  [`${meta}.FieldsV1`]: anyForm,
  'io.k8s.apimachinery.pkg.runtime.RawExtension': anyForm,
  'io.k8s.apimachinery.pkg.api.resource.Quantity': quantityForm,
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': (value, context, owner) => {
    if (value === null) return 0
    if (typeof value === 'string') return value
    if (typeof value === 'number') return leaves.int32!(value, context, owner)
    throw wrongType(value, context, owner, 'int32')
  },
  [`${extensions}.JSON`]: anyForm,
  [`${extensions}.JSONSchemaPropsOrArray`]: schemaForm('array'),
  [`${extensions}.JSONSchemaPropsOrBool`]: schemaForm('bool'),
  [`${extensions}.JSONSchemaPropsOrStringArray`]: schemaForm('strings'),
}

function integerForm(goType: string, minimum: number | bigint, maximum: number | bigint): Form {
  return (value, context, owner) => {
    if (value === null) return 0
    const integer = integerOf(value)
    if (integer === undefined) {
      if (typeof value !== 'number' && !(value instanceof JsonNumber)) throw wrongType(value, context, owner, goType)
      throw wrongNumber(value, context, owner, goType)
    }
    if (integer < minimum || integer > maximum) throw wrongNumber(value, context, owner, goType)
    return typeof integer === 'number' ? integer : new JsonNumber(String(integer))
  }
}

// Integers outside a double's exact range arrive as JsonNumber from JSON and as bigint from protobuf.
function integerOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined
  if (typeof value === 'bigint') return value
  return value instanceof JsonNumber && /^-?\d+$/.test(value.text) ? BigInt(value.text) : undefined
}

function wrongNumber(value: unknown, context: FormContext, owner: string, goType: string): Error {
  const path = context.path.filter((part) => typeof part === 'string').join('.')
  const place = owner === '' ? 'Go value' : `Go struct field ${owner}.${path}`
  return notHandled(context, `json: cannot unmarshal number ${String(value)} into ${place} of type ${goType}`)
}

function numberForm(goType: string): Form {
  return (value, context, owner) => {
    if (value === null) return 0
    if (typeof value === 'number') return value
    if (value instanceof JsonNumber) return Number(value.text)
    throw wrongType(value, context, owner, goType)
  }
}

function checkedBase64(text: string, context: FormContext): string {
  // Go's decoder accepts newlines inside base64; everything else is strict.
  const compact = text.replace(/[\r\n]/g, '')
  const bad = /[^A-Za-z0-9+/]/.exec(compact.replace(/={1,2}$/, ''))
  if (bad === null && compact.length % 4 === 0) return compact
  throw notHandled(context, `illegal base64 data at input byte ${bad?.index ?? compact.length - (compact.length % 4)}`)
}

function timeForm(canonical: (text: string) => string | undefined, layout: string): Form {
  return (value, context, owner) => {
    if (value === null) return null
    if (typeof value !== 'string') throw wrongType(value, context, owner, 'string')
    const time = canonical(value)
    if (time !== undefined) return time
    throw notHandled(
      context,
      `parsing time ${JSON.stringify(value)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(value)} as "2006"`,
    )
  }
}

function quantityForm(value: unknown, context: FormContext): unknown {
  if (value === null) return '0'
  try {
    return quantityToText(quantityFromJson(value as string))
  } catch (cause) {
    throw notHandled(context, (cause as Error).message)
  }
}

function schemaForm(other: 'array' | 'bool' | 'strings'): Form {
  return (value, context, owner) => {
    if (value === null || value === undefined) return value
    if (other === 'bool' && typeof value === 'boolean') return value
    const props = context.formOf(`${extensions}.JSONSchemaProps`)
    if (!Array.isArray(value)) return props(value, context, owner)
    if (other === 'bool') throw wrongType(value, context, owner, 'v1.JSONSchemaPropsOrBool')
    return value.map((item, index) => {
      context.path.push(index)
      const form = other === 'strings' ? stringForm(item, context, owner) : props(item, context, owner)
      context.path.pop()
      return form
    })
  }
}
