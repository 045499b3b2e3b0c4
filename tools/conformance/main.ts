// `npm run conformance [-- NAME… --seconds N --parallel N --output DIR]`: runs Kubernetes' kubectl test suite, each
// function against its own server, and prints the result of each. NAME is a function without `run_`.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { knownState, shortName } from '../../test/conformance/test-cmd/known-states.ts'
import { type FunctionResult, runFunction } from '../../test/conformance/test-cmd/run-function.ts'
import { suiteFunctions } from '../../test/conformance/test-cmd/suite.ts'
import { findRealPart, obtainRealParts } from '../../test/real-parts/obtain.ts'
import { downloadRelease } from '../kinds/modules.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '300' },
    parallel: { type: 'string', default: '2' },
    output: { type: 'string' },
  },
})

const module = downloadRelease().kubernetes
const kubectl = await kubectlProgram()
const output = values.output ?? mkdtempSync(join(tmpdir(), 'hykube-conformance-'))
mkdirSync(output, { recursive: true })
const wanted = suiteFunctions(module).filter(isWanted)
const results = await runAll(wanted)
summarise(results)

async function kubectlProgram(): Promise<string> {
  await obtainRealParts({
    full: false,
    onObtain: ({ description }) => console.error(`obtaining ${description} (once)`),
  })
  const part = findRealPart('kubectl-1.36')
  if (part.kind === 'missing') throw new Error(`the suite needs kubectl 1.36: ${part.why}; ${part.remedy}`)
  return part.path
}

function isWanted(name: string): boolean {
  return positionals.length === 0 || positionals.some((word) => [name, shortName(name)].includes(word))
}

async function runAll(names: readonly string[]): Promise<FunctionResult[]> {
  const waiting = [...names]
  const done: FunctionResult[] = []
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const result = await runFunction(name, { module, kubectl, seconds: Number(values.seconds) }).catch(
        (error: Error): FunctionResult => ({ name, kind: 'failed', where: error.message, seconds: 0, output: '' }),
      )
      writeFileSync(join(output, `${shortName(name)}.log`), result.output)
      done.push(result)
      tell(result)
    }
  }
  await Promise.all(Array.from({ length: Number(values.parallel) }, worker))
  return done
}

function tell({ name, kind, where, seconds }: FunctionResult): void {
  const note = knownState(name)?.clientOnly === true ? ' (client only)' : ''
  console.log(`${kind.padEnd(8)} ${shortName(name)}${note} ${seconds.toFixed(0)} s${where === '' ? '' : `: ${where}`}`)
}

function summarise(all: readonly FunctionResult[]): void {
  const counted = all.filter(({ name }) => knownState(name)?.clientOnly !== true)
  const passed = counted.filter(({ kind }) => kind === 'passed').length
  console.log(`\n${passed} of ${counted.length} functions that talk to the server pass`)
  console.log(`${all.length - counted.length} functions test kubectl alone and are not counted`)
  const lost = all.filter(({ name, kind }) => kind !== 'passed' && knownState(name)?.state === 'passes')
  for (const { name } of lost) console.log(`LOST ${shortName(name)}: it passed before`)
  console.log(`the logs are in ${output}`)
  process.exitCode = lost.length === 0 ? 0 : 1
}
