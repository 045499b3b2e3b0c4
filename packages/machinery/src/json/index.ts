/** The reader of request bodies, and what else is done with JSON values: writing, comparing, ordering. */
export { jsonEquals } from './equals.ts'
export { JsonError } from './json-error.ts'
export { isHeldExactly, JsonNumber, numberFromText, numbersEqual } from './json-number.ts'
export { jsonTypeOf } from './json-type.ts'
export { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from './json-value.ts'
export { compareUtf8 } from './key-order.ts'
export { type ParsedJson, type ParseJsonOptions, parseJson, parseJsonText } from './parse.ts'
export { canonicalJson, encodeJson, stringifyJson } from './stringify.ts'
