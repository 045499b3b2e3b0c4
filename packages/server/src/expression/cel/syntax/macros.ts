import { type Call, type Comprehension, type Expr, SyntaxFailure } from './syntax.ts'

/** Replaces macros by their expansions: presence tests and comprehensions. Throws SyntaxFailure. */
export function expandMacros(expr: Expr): Expr {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
    case 'comprehension':
      return expr
    case 'select':
      return { ...expr, operand: expandMacros(expr.operand) }
    case 'list':
      return { ...expr, elements: expr.elements.map(expandMacros) }
    case 'message':
      return { ...expr, values: expr.values.map(expandMacros) }
    case 'map':
      return {
        ...expr,
        entries: expr.entries.map(({ key, value, optional }) => ({
          key: expandMacros(key),
          value: expandMacros(value),
          optional,
        })),
      }
    case 'call':
      return expandCall(expr)
  }
}

function expandCall(call: Call): Expr {
  const { target, args } = call
  const inner: Call = {
    ...call,
    args: args.map(expandMacros),
    ...(target !== undefined && { target: expandMacros(target) }),
  }
  if (target === undefined) return call.name === 'has' && args.length === 1 ? presence(inner) : inner
  const macro = macros.get(`${call.name}/${args.length}`)
  return macro === undefined ? inner : macro(inner, inner.target!, inner.args)
}

type Macro = (call: Call, target: Expr, args: readonly Expr[]) => Expr

const result = '@result'

const macros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['all/2', (call, target, [name, test]) => all(call, target, [variable(name!, 'simple')], test!)],
  ['all/3', (call, target, [first, second, test]) => all(call, target, variables(first!, second!), test!)],
  ['exists/2', (call, target, [name, test]) => exists(call, target, [variable(name!, 'simple')], test!)],
  ['exists/3', (call, target, [first, second, test]) => exists(call, target, variables(first!, second!), test!)],
  ['exists_one/2', (call, target, [name, test]) => existsOne(call, target, [variable(name!, 'simple')], test!)],
  ['exists_one/3', (call, target, [first, second, test]) => existsOne(call, target, variables(first!, second!), test!)],
  ['existsOne/2', (call, target, [name, test]) => existsOne(call, target, [variable(name!, 'simple')], test!)],
  ['existsOne/3', (call, target, [first, second, test]) => existsOne(call, target, variables(first!, second!), test!)],
  ['map/2', (call, target, [name, value]) => collect(call, target, [variable(name!)], undefined, value!)],
  ['map/3', (call, target, [name, test, value]) => collect(call, target, [variable(name!)], test, value!)],
  ['filter/2', (call, target, [name, test]) => collect(call, target, [variable(name!)], test, name!)],
  ['transformList/3', (call, target, [a, b, value]) => collect(call, target, variables(a!, b!), undefined, value!)],
  ['transformList/4', (call, target, [a, b, test, value]) => collect(call, target, variables(a!, b!), test, value!)],
  ['transformMap/3', (call, target, [a, b, value]) => insert(call, target, variables(a!, b!), undefined, [a!, value!])],
  [
    'transformMap/4',
    (call, target, [a, b, test, value]) => insert(call, target, variables(a!, b!), test, [a!, value!]),
  ],
  [
    'transformMapEntry/3',
    (call, target, [a, b, value]) => insert(call, target, variables(a!, b!), undefined, [value!]),
  ],
  [
    'transformMapEntry/4',
    (call, target, [a, b, test, value]) => insert(call, target, variables(a!, b!), test, [value!]),
  ],
  [
    'optMap/2',
    (call, target, [name, value]) => optional(call, target, name!, (inner) => fn(call, 'optional.of', inner), value!),
  ],
  ['optFlatMap/2', (call, target, [name, value]) => optional(call, target, name!, (inner) => inner, value!)],
  ['sortBy/2', (call, target, args) => sortBy(call, target, args)],
])

function presence(call: Call): Expr {
  const [selection] = call.args
  if (selection?.kind !== 'select') throw failure(selection ?? call, 'invalid argument to has() macro')
  return { ...selection, mode: 'test', start: call.start, end: call.end, at: call.at }
}

function all(call: Call, range: Expr, names: Names, test: Expr): Expr {
  return fold(call, range, names, {
    init: literal(call, true),
    condition: fn(call, '@not_strictly_false', accumulated(call)),
    step: fn(call, '_&&_', accumulated(call), test),
    result: accumulated(call),
  })
}

function exists(call: Call, range: Expr, names: Names, test: Expr): Expr {
  return fold(call, range, names, {
    init: literal(call, false),
    condition: fn(call, '@not_strictly_false', fn(call, '!_', accumulated(call))),
    step: fn(call, '_||_', accumulated(call), test),
    result: accumulated(call),
  })
}

function existsOne(call: Call, range: Expr, names: Names, test: Expr): Expr {
  return fold(call, range, names, {
    init: literal(call, 0n),
    condition: literal(call, true),
    step: fn(call, '_?_:_', test, fn(call, '_+_', accumulated(call), literal(call, 1n)), accumulated(call)),
    result: fn(call, '_==_', accumulated(call), literal(call, 1n)),
  })
}

function collect(call: Call, range: Expr, names: Names, test: Expr | undefined, value: Expr): Expr {
  const added = fn(call, '_+_', accumulated(call), list(call, value))
  return fold(call, range, names, {
    init: list(call),
    condition: literal(call, true),
    step: test === undefined ? added : fn(call, '_?_:_', test, added, accumulated(call)),
    result: accumulated(call),
  })
}

function insert(call: Call, range: Expr, names: Names, test: Expr | undefined, entry: readonly Expr[]): Expr {
  const added = fn(call, 'cel.@mapInsert', accumulated(call), ...entry)
  return fold(call, range, names, {
    init: { kind: 'map', entries: [], ...place(call) },
    condition: literal(call, true),
    step: test === undefined ? added : fn(call, '_?_:_', test, added, accumulated(call)),
    result: accumulated(call),
  })
}

function optional(call: Call, target: Expr, name: Expr, wrap: (inner: Expr) => Expr, value: Expr): Expr {
  if (name.kind !== 'ident') throw failure(name, `${call.name}() variable name must be a simple identifier`)
  const bound = bind(call, name.name, method(call, 'value', target), value)
  return fn(call, '_?_:_', method(call, 'hasValue', target), wrap(bound), fn(call, 'optional.none'))
}

const sorted = '@__sortBy_input__'

function sortBy(call: Call, target: Expr, [name, key]: readonly Expr[]): Expr {
  if (target.kind === 'literal' || target.kind === 'map') {
    const wanted = 'a list, identifier, comprehension, call or select expression'
    throw failure(target, `sortBy can only be applied to ${wanted}`)
  }
  const input: Expr = { kind: 'ident', name: sorted, ...place(call) }
  const keys = collect(call, input, [variable(name!)], undefined, key!)
  return bind(call, sorted, target, { ...method(call, '@sortByAssociatedKeys', input), args: [keys] })
}

// A comprehension over an empty range binds a value to the accumulator's name; this is how cel-go expands `cel.bind`.
function bind(call: Call, name: string, value: Expr, body: Expr): Expr {
  return {
    kind: 'comprehension',
    range: list(call),
    variable: '#unused',
    accumulator: name,
    init: value,
    condition: literal(call, false),
    step: { kind: 'ident', name, ...place(call) },
    result: body,
    ...place(call),
  }
}

type Names = readonly [string] | readonly [string, string]

function fold(
  call: Call,
  range: Expr,
  [first, second]: Names,
  parts: Pick<Comprehension, 'init' | 'condition' | 'step' | 'result'>,
): Expr {
  return {
    kind: 'comprehension',
    range,
    variable: first,
    ...(second !== undefined && { variable2: second }),
    accumulator: result,
    ...parts,
    ...place(call),
  }
}

function variable(expr: Expr, wording: 'simple' | 'identifier' = 'identifier'): string {
  if (expr.kind === 'ident' && !expr.name.startsWith('.')) {
    if (expr.name === '__result__') throw failure(expr, 'iteration variable overwrites accumulator variable')
    return expr.name
  }
  throw failure(expr, wording === 'simple' ? 'argument must be a simple name' : 'argument is not an identifier')
}

function variables(first: Expr, second: Expr): readonly [string, string] {
  const names = [variable(first, 'simple'), variable(second, 'simple')] as const
  if (names[0] === names[1]) throw failure(second, `duplicate variable name: ${names[0]}`)
  return names
}

function accumulated(call: Call): Expr {
  return { kind: 'ident', name: result, ...place(call) }
}

function fn(call: Call, name: string, ...args: readonly Expr[]): Expr {
  return { kind: 'call', name, args, ...place(call) }
}

function method(call: Call, name: string, target: Expr): Call {
  return { kind: 'call', name, target, args: [], ...place(call) }
}

function list(call: Call, ...elements: readonly Expr[]): Expr {
  return { kind: 'list', elements, optional: new Set(), ...place(call) }
}

function literal(call: Call, value: unknown): Expr {
  return { kind: 'literal', value, ...place(call) }
}

function place({ start, end, at }: Call): Pick<Call, 'start' | 'end' | 'at'> {
  return { start, end, at }
}

function failure({ at }: Expr, message: string): SyntaxFailure {
  return new SyntaxFailure([{ at, message }])
}
