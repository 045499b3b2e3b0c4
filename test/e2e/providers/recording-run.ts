import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { impliedType } from '@hykube/tfplugin/schema'
import { type Value, valueToJson } from '@hykube/tfplugin/value'
import { type Case, type CaseOptions, canBeData, makeCases } from '../../fixtures/recording-provider/cases.ts'
import { dataToHcl, resourceToHcl } from '../../fixtures/recording-provider/hcl.ts'
import type { Manner } from '../../fixtures/recording-provider/manners.ts'
import { type Recorded, readRecords } from '../../fixtures/recording-provider/record.ts'
import { type TerraformOutcome, TerraformRun } from './terraform-run.ts'

/** An error that Terraform gave, by the address it is about. */
export interface TerraformError {
  readonly summary: string
  readonly detail: string
}

/** Terraform over the cases of a seed: a state, a configuration, and a provider that writes down what it is asked. */
export class RecordingRun {
  readonly cases: readonly Case[]
  readonly #run: TerraformRun
  readonly #file: string

  constructor(terraform: string, manner: Manner, cases: CaseOptions) {
    this.cases = makeCases(cases)
    const program = join(import.meta.dirname, '../../fixtures/recording-provider/main.ts')
    const placeholder = new TerraformRun(terraform, { rec: join(import.meta.dirname, 'terraform-provider-rec') })
    const bin = join(placeholder.directory, 'bin')
    mkdirSync(bin)
    const executable = join(bin, 'terraform-provider-rec')
    this.#run = new TerraformRun(terraform, { rec: executable })
    this.#file = join(this.#run.directory, 'records')
    writeFileSync(this.#file, '')
    const recording = JSON.stringify({ file: this.#file, manner, cases }).replaceAll("'", '')
    writeFileSync(executable, `#!/bin/sh\nRECORDING='${recording}' exec '${process.execPath}' '${program}' "$@"\n`)
    chmodSync(executable, 0o755)
    this.#run.write(`resource "rec_unknown" "u" {}\n${this.cases.map(hclOf).join('')}`)
    writeFileSync(join(this.#run.directory, 'terraform.tfstate'), stateOf(this.cases))
  }

  run(...args: readonly string[]): Promise<TerraformOutcome> {
    return this.#run.run(...args)
  }

  /** The calls of each type, in their order. */
  records(): Map<string, Recorded[]> {
    const types = new Map(this.cases.map(({ typeName, schema }) => [typeName, impliedType(schema.block)]))
    return Map.groupBy(
      readRecords(this.#file, (typeName) => types.get(typeName)!),
      ({ typeName }) => typeName,
    )
  }

  /** Instances of the state by type. */
  state(): Map<string, { readonly status?: string; readonly attributes: object }> {
    const { resources } = JSON.parse(readFileSync(join(this.#run.directory, 'terraform.tfstate'), 'utf8'))
    const managed = resources.filter((its: { mode: string }) => its.mode === 'managed')
    return new Map(managed.map((its: { type: string; instances: object[] }) => [its.type, its.instances[0]]))
  }
}

/** The errors in Terraform's JSON output, by the type they name in their text. */
export function errorsByType(output: string): Map<string, TerraformError[]> {
  const errors = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line).diagnostic as (TerraformError & { severity: string; address?: string }) | undefined)
    .filter((diagnostic) => diagnostic?.severity === 'error')
    .map((diagnostic) => diagnostic!)
  return Map.groupBy(
    errors,
    ({ detail, address = '', summary }) => /rec_t\d+/.exec(`${address} ${detail} ${summary}`)?.[0] ?? '',
  )
}

function hclOf(its: Case): string {
  return resourceToHcl('this', its) + (canBeData(its.schema) ? dataToHcl('this', its) : '')
}

function stateOf(cases: readonly Case[]): string {
  const resources = cases.flatMap(({ typeName, schema, prior, tainted }) =>
    prior === null ? [] : [instanceText(typeName, valueToJson(prior as Value, impliedType(schema.block)), tainted)],
  )
  return `{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"cases","outputs":{},"resources":[${resources.join(',')}]}`
}

function instanceText(type: string, attributes: string, tainted: boolean): string {
  const status = tainted ? '"status":"tainted",' : ''
  const instance = `{${status}"schema_version":0,"attributes":${attributes},"sensitive_attributes":[]}`
  const provider = 'provider[\\"local/test/rec\\"]'
  return `{"mode":"managed","type":"${type}","name":"this","provider":"${provider}","instances":[${instance}]}`
}
