import { classAt, escapeClass, isWordCharacter } from './character-class.ts'
import { type Accepts, type Part, RegexpSyntaxError } from './syntax.ts'

/** Parses Go's syntax (RE2), which has no backreferences and no lookaround. */
export function parseRegexp(text: string): Part {
  const parser = new Parser(text)
  return parser.parse()
}

interface Flags {
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
  readonly ungreedy: boolean
}

/** Go's limit on the numbers in `{n,m}`. */
const maximumRepeat = 1000

class Parser {
  readonly #text: string
  #at = 0
  #flags: Flags = { ignoreCase: false, multiline: false, dotAll: false, ungreedy: false }

  constructor(text: string) {
    this.#text = text
  }

  parse(): Part {
    const part = this.#choice()
    if (this.#at < this.#text.length) throw this.#error('unexpected )')
    return part
  }

  #choice(): Part {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
  }

  #sequence(): Part {
    const parts: Part[] = []
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at]!)) parts.push(this.#repeated())
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  // A second quantifier, as in `a**`, is an error, as in Go. A `{` that does not start a quantifier is a literal.
  #repeated(): Part {
    let part = this.#atom()
    for (let count = 0; ; count++) {
      const range = this.#quantifier()
      if (range === undefined) return part
      if (count > 0) throw this.#error('invalid nested repetition operator')
      const lazy = this.#take('?') !== this.#flags.ungreedy
      part = { kind: 'repeat', part, min: range[0], max: range[1], lazy }
    }
  }

  #quantifier(): readonly [number, number] | undefined {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    const counted = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#text.slice(this.#at, this.#at + 20))
    if (counted === null) return undefined
    this.#at += counted[0].length
    const min = Number(counted[1])
    const max = counted[2] === undefined ? min : counted[3] === '' ? Number.POSITIVE_INFINITY : Number(counted[3])
    if (min > maximumRepeat || (max > maximumRepeat && max !== Number.POSITIVE_INFINITY) || max < min) {
      throw this.#error('invalid repeat count')
    }
    return [min, max]
  }

  #atom(): Part {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at)!)
    this.#at += character.length
    switch (character) {
      case '(':
        return this.#group()
      case '[':
        return this.#one(this.#class())
      case '.':
        return this.#one(this.#flags.dotAll ? () => true : (code) => code !== 10)
      case '^':
        return this.#flags.multiline ? { kind: 'assert', holds: (before) => before === -1 || before === 10 } : atStart
      case '$':
        return this.#flags.multiline ? { kind: 'assert', holds: (_, after) => after === -1 || after === 10 } : atEnd
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
        throw this.#error('missing argument to repetition operator')
      default:
        return this.#literal(character.codePointAt(0)!)
    }
  }

  #group(): Part {
    const outer = this.#flags
    const head = /^\?(?:P?<[A-Za-z_]\w*>|([imsU]*)(?:-([imsU]+))?([:)]))/.exec(this.#text.slice(this.#at))
    if (head === null && this.#text[this.#at] === '?') throw this.#error('invalid or unsupported Perl syntax')
    if (head !== null) {
      this.#at += head[0].length
      if (head[3] !== undefined) this.#flags = flagsWith(outer, head[1] ?? '', head[2] ?? '')
      // Flags without a colon, `(?i)`, apply until the enclosing group ends.
      if (head[3] === ')') return { kind: 'empty' }
    }
    const part = this.#choice()
    if (!this.#take(')')) throw this.#error('missing closing )')
    this.#flags = outer
    return part
  }

  #escape(): Part {
    const name = this.#text[this.#at]
    const assertion = name === undefined ? undefined : assertions[name]
    if (assertion !== undefined) {
      this.#at++
      return assertion
    }
    if (name === 'Q') return this.#quoted()
    const { accepts, end } = escapeClass(this.#text, this.#at)
    this.#at = end
    return this.#one(accepts)
  }

  // `\Q…\E` matches its content literally; the end of the pattern closes it too.
  #quoted(): Part {
    const end = this.#text.indexOf('\\E', this.#at)
    const literal = this.#text.slice(this.#at + 1, end < 0 ? undefined : end)
    this.#at = end < 0 ? this.#text.length : end + 2
    return { kind: 'sequence', parts: [...literal].map((each) => this.#literal(each.codePointAt(0)!)) }
  }

  #class(): Accepts {
    const { accepts, end } = classAt(this.#text, this.#at)
    this.#at = end
    return accepts
  }

  #literal(code: number): Part {
    return this.#one((each) => each === code)
  }

  #one(accepts: Accepts): Part {
    if (!this.#flags.ignoreCase) return { kind: 'one', accepts }
    return { kind: 'one', accepts: (code) => accepts(code) || accepts(lower(code)) || accepts(upper(code)) }
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #error(why: string): RegexpSyntaxError {
    return new RegexpSyntaxError(`error parsing regexp: ${why}: \`${this.#text}\``)
  }
}

const atStart: Part = { kind: 'assert', holds: (before) => before === -1, place: 'start' }
const atEnd: Part = { kind: 'assert', holds: (_, after) => after === -1, place: 'end' }

const assertions: Readonly<Record<string, Part>> = {
  A: atStart,
  z: atEnd,
  b: { kind: 'assert', holds: (before, after) => isWordCharacter(before) !== isWordCharacter(after) },
  B: { kind: 'assert', holds: (before, after) => isWordCharacter(before) === isWordCharacter(after) },
}

function flagsWith(flags: Flags, on: string, off: string): Flags {
  const set = (letter: string, value: boolean) => (on.includes(letter) ? true : off.includes(letter) ? false : value)
  return {
    ignoreCase: set('i', flags.ignoreCase),
    multiline: set('m', flags.multiline),
    dotAll: set('s', flags.dotAll),
    ungreedy: set('U', flags.ungreedy),
  }
}

// Case folding is approximated by the simple lower and upper case of one code point.
function lower(code: number): number {
  return String.fromCodePoint(code).toLowerCase().codePointAt(0)!
}

function upper(code: number): number {
  return String.fromCodePoint(code).toUpperCase().codePointAt(0)!
}
