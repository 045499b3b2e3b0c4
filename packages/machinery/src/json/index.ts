/** JSON values: parsing request bodies, encoding, comparing and ordering. */
export { jsonEquals } from './equals.ts'
export { JsonError } from './json-error.ts'
export { JsonNumber, numberFromText, numbersEqual } from './json-number.ts'
export { jsonTypeOf } from './json-type.ts'
export { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from './json-value.ts'
export { parseJson, parseJsonText } from './parse.ts'
export { canonicalJson, encodeJson, stringifyJson } from './stringify.ts'
