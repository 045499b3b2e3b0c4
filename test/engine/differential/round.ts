import { isDeepStrictEqual } from 'node:util'
import type { Dice } from './configuration.ts'
import { type Case, caseOf, type Declared, type Drift } from './declared.ts'
import { isCircle, isKeptInUse, isMissingTriggered, isRest } from './known-differences.ts'
import { type NormalChange, named, normalChanges } from './normal-form.ts'
import type { Refused, Side, Targeted } from './side.ts'

/** A difference between the two sides. */
export interface Difference {
  /** Undefined for what belongs to no case. */
  readonly number: number | undefined
  readonly stage: string
  readonly ours: unknown
  readonly theirs: unknown
}

export interface RoundOptions {
  readonly cases: readonly Case[]
  readonly ours: Side
  readonly theirs: Side
  readonly dice: Dice
  /** Operations that may fail; the others continue, and the next plan continues from there. */
  readonly refusals: readonly Refused[]
  readonly drift: Drift
  /** Also compares plans with targets. */
  readonly targets?: boolean
  /** Puts something else in the place of what is different each time. */
  readonly normalise?: (change: NormalChange) => NormalChange
}

/** Takes all cases through their life on both sides: made, changed outside, edited, taken away. A case that differed is left alone. */
export async function runRound(options: RoundOptions): Promise<readonly Difference[]> {
  return new Round(options).run()
}

class Round {
  readonly #options: RoundOptions
  readonly #differences: Difference[] = []
  readonly #left: Set<number>
  /** Those in which Hykube did more than Terraform before something failed. */
  readonly #ahead = new Set<number>()
  /** The changes of the last plan, by case. */
  #planned: ReadonlyMap<number | undefined, readonly NormalChange[]> = new Map()
  /** Those with which Terraform can't go on, and Hykube must. */
  readonly #alone = new Set<number>()
  #written: (each: Case) => readonly Declared[] = () => []

  constructor(options: RoundOptions) {
    this.#options = options
    this.#left = new Set(options.cases.map(({ number }) => number))
  }

  async run(): Promise<readonly Difference[]> {
    const { cases, ours, theirs, drift } = this.#options
    await this.#write(({ before }) => before)
    await this.#compareHalfWay('first', [])
    for (const side of [ours, theirs]) await meddle(side, cases, drift)
    await this.#write(({ after }) => after)
    await this.#compareTargeted('edited', 'Normal', ({ after }) => after)
    const replaced = cases.flatMap((each) => each.replaced.filter((address) => isSingle(each.after, address)))
    await this.#compareHalfWay('edited', replaced)
    await this.#compareTargeted('applied', 'Destroy', ({ after }) => after)
    await this.#write(() => [])
    await this.#compare('taken away', [])
    return this.#differences
  }

  async #write(written: (each: Case) => readonly Declared[]): Promise<void> {
    const { cases, ours, theirs } = this.#options
    this.#written = written
    await ours.write(cases.flatMap(written))
    await theirs.write(cases.filter(({ number }) => this.#left.has(number)).flatMap(written))
  }

  async #compareHalfWay(stage: string, replaced: readonly string[]): Promise<void> {
    const { dice, refusals } = this.#options
    const refused = refusals[dice(refusals.length)]
    const how = refused === undefined ? '' : ` without ${Object.values(refused).join(' ')}`
    await this.#compare(`${stage}${how}`, replaced, refused)
    if (refused !== undefined) await this.#compare(`${stage} after${how}`, [])
  }

  async #compare(stage: string, replaced: readonly string[], refused?: Refused): Promise<void> {
    await this.#comparePlans(`${stage}: plan`, replaced)
    await this.#compareApplies(`${stage}: apply`, refused)
    await this.#compareWorlds(`${stage}: world`, refused !== undefined)
  }

  // One target of each case; nothing of it is applied.
  async #compareTargeted(
    stage: string,
    mode: Targeted['mode'],
    written: (each: Case) => readonly Declared[],
  ): Promise<void> {
    const { cases, ours, theirs, dice, normalise = (change) => change } = this.#options
    if (this.#options.targets !== true) return
    const targets = cases.flatMap((each) => {
      const some = written(each).filter(({ address, spec }) => !address.startsWith('data.') && isOne(spec))
      const target = some[dice(Math.max(1, some.length))]
      return target === undefined || !this.#left.has(each.number) ? [] : [target.address]
    })
    const expected = await theirs.plan([], { mode, targets })
    if (expected.error !== undefined) throw new Error(expected.error)
    const mine = await ours.plan([], { mode, targets })
    const a = byCase(normalChanges(mine.changes, await ours.names()).map(normalise))
    const b = byCase(normalChanges(expected.changes, await theirs.names()).map(normalise))
    const kept = new Set(mine.troubles.filter(({ text }) => isKeptInUse(text)).map(({ address }) => caseOf(address)))
    for (const { number } of cases) {
      const [own, other] = [a.get(number) ?? [], b.get(number) ?? []].map((all) => all.map(inShort))
      if (!this.#left.has(number) || kept.has(number) || !isDifferent(own, other)) continue
      this.#differ(number, `${stage}: ${mode} ${targets.filter((address) => caseOf(address) === number)}`, own, other)
    }
  }

  async #comparePlans(stage: string, replaced: readonly string[]): Promise<void> {
    const { ours, theirs } = this.#options
    const { normalise = (change) => change } = this.#options
    const expected = await this.#planOfTheirs(stage, replaced)
    // With fewer that are asked for, all are there.
    if (isMissingTriggered(expected) && replaced.length > 0)
      return this.#comparePlans(stage, replaced.slice(0, replaced.length >> 1))
    const mine = await ours.plan(replaced)
    for (const { address, text } of mine.troubles) this.#differ(caseOf(address), stage, `${address} ${text}`, undefined)
    const [a, b] = [
      byCase(normalChanges(mine.changes, await ours.names()).map(normalise)),
      byCase(normalChanges(expected, await theirs.names()).map(normalise)),
    ]
    for (const number of new Set([...a.keys(), ...b.keys()]))
      this.#compareChanges(number, stage, a.get(number) ?? [], b.get(number) ?? [])
    this.#planned = a
  }

  #compareChanges(
    number: number | undefined,
    stage: string,
    ours: readonly NormalChange[],
    theirs: readonly NormalChange[],
  ): void {
    if (number !== undefined && this.#alone.has(number)) return
    if (number !== undefined && this.#ahead.has(number)) {
      if (!isRest(ours, theirs, this.#planned.get(number) ?? []))
        this.#differ(number, stage, ours.map(inShort), theirs.map(inShort))
      return
    }
    // The short form first: it says at one look what differs.
    const isAlike = !isDifferent(ours.map(inShort), theirs.map(inShort))
    if (!isAlike) this.#differ(number, stage, ours.map(inShort), theirs.map(inShort))
    for (const [i, change] of isAlike ? ours.entries() : [])
      if (isDifferent(change, theirs[i])) this.#differ(number, stage, change, theirs[i])
  }

  // One case in which there is no plan would spoil all the others.
  async #planOfTheirs(stage: string, replaced: readonly string[]) {
    for (;;) {
      const wanted = replaced.filter((address) => this.#left.has(caseOf(address)!))
      const { changes, error } = await this.#options.theirs.plan(wanted)
      if (error === undefined) return changes
      await this.#leaveOut(stage, error)
    }
  }

  async #leaveOut(stage: string, error: string): Promise<void> {
    const { cases, theirs } = this.#options
    const guilty = new Set([...error.matchAll(/\.c\d+[a-z]\w*/g)].map(([text]) => caseOf(text)!))
    if (![...guilty].some((number) => this.#left.has(number))) throw new Error(error)
    for (const number of guilty)
      if (isCircle(error) && this.#left.delete(number)) this.#alone.add(number)
      else this.#differ(number, stage, undefined, error)
    await theirs.write(cases.filter(({ number }) => this.#left.has(number)).flatMap(this.#written))
  }

  async #compareApplies(stage: string, refused: Refused): Promise<void> {
    const { ours, theirs } = this.#options
    const mine = await this.#apply(ours, refused)
    if (refused === undefined)
      for (const { address, text } of mine.troubles)
        this.#differ(caseOf(address), stage, `${address} ${text}`, undefined)
    let { troubles, error } = await this.#apply(theirs, refused)
    while (error !== undefined && isCircle(error)) {
      await this.#leaveOut(stage, error)
      await this.#planOfTheirs(stage, [])
      ;({ troubles, error } = await this.#apply(theirs, refused))
    }
    if (refused !== undefined) return
    for (const { address, text } of troubles) this.#differ(caseOf(address), stage, undefined, text)
    if (error !== undefined && troubles.length === 0) throw new Error(error)
  }

  async #apply(side: Side, refused: Refused): ReturnType<Side['apply']> {
    side.world.refuse(refused)
    const outcome = await side.apply()
    side.world.refuse(undefined)
    return outcome
  }

  async #compareWorlds(stage: string, isHalfWay: boolean): Promise<void> {
    const [a, b] = [await shownWorld(this.#options.ours), await shownWorld(this.#options.theirs)]
    this.#ahead.clear()
    for (const number of new Set([...a.keys(), ...b.keys()])) {
      if (number !== undefined && this.#alone.has(number)) continue
      if (!isDifferent(a.get(number) ?? [], b.get(number) ?? [])) continue
      if (isHalfWay && number !== undefined) this.#ahead.add(number)
      else this.#differ(number, stage, a.get(number), b.get(number))
    }
  }

  #differ(number: number | undefined, stage: string, ours: unknown, theirs: unknown): void {
    const isCompared = number === undefined ? this.#left.size === this.#options.cases.length : this.#left.delete(number)
    if (!isCompared && !this.#alone.delete(number!)) return
    this.#differences.push({ number, stage, ours, theirs })
  }
}

function inShort({ address, actions, reason }: NormalChange): string {
  return `${actions} ${address} ${reason}`
}

function byCase<T extends { readonly address: string }>(all: readonly T[]): Map<number | undefined, T[]> {
  return Map.groupBy(all, ({ address }) => caseOf(address))
}

function isDifferent(a: unknown, b: unknown): boolean {
  return !isDeepStrictEqual(a, b)
}

function isOne({ count, for_each: forEach }: Declared['spec']): boolean {
  return count === undefined && forEach === undefined
}

function isSingle(all: readonly Declared[], address: string): boolean {
  return all.some(
    (each) => each.address === address && each.spec.count === undefined && each.spec.for_each === undefined,
  )
}

async function shownWorld(side: Side): Promise<ReadonlyMap<number | undefined, readonly string[]>> {
  const names = await side.names()
  const lines = side.world.all().map(({ type, id, object }) => {
    const text = `${type} ${JSON.stringify(named(sorted(object), names))}`
    return { address: names.get(id) ?? '', text: text.replace(/"(password|endpoint)":"[^"]*"/g, '"$1":"…"') }
  })
  return new Map([...byCase(lines)].map(([number, own]) => [number, own.map(({ text }) => text).sort()]))
}

function sorted(object: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}

async function meddle(side: Side, cases: readonly Case[], drift: Drift): Promise<void> {
  const ids = new Map([...(await side.names())].map(([id, name]) => [name, id]))
  for (const { drifted, gone } of cases) {
    for (const address of drifted) {
      const [type = ''] = address.split('.')
      const changes = drift[type]
      if (!ids.has(address) || changes === undefined) continue
      side.world.edit(type, ids.get(address)!, changes)
    }
    for (const address of gone) if (ids.has(address)) side.world.remove(address.split('.')[0]!, ids.get(address)!)
  }
}
