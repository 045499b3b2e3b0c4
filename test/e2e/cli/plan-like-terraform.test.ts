import { fileURLToPath } from 'node:url'
import type { PlanChange } from '@hykube/machinery/plan-api'
import { expect, test } from 'vitest'
import { createStyle, renderChange } from '../../../packages/cli/src/render/index.ts'
import { describeWith } from '../../real-parts/index.ts'
import { TerraformRun } from '../providers/terraform-run.ts'

const executable = fileURLToPath(new URL('../../../providers/sim/bin/terraform-provider-sim', import.meta.url))

describeWith(['terraform'], 'a plan reads as real Terraform prints it', (terraform) => {
  test('for creations, changes in place, replacements in both orders and destructions', {
    timeout: 120_000,
  }, async () => {
    const run = new TerraformRun(terraform, { sim: executable })
    run.write(first)
    await compare(run)
    expect((await run.apply()).code).toBe(0)
    run.write(second)
    await compare(run)
    run.write(third)
    await compare(run)
  })
})

async function compare(run: TerraformRun): Promise<void> {
  const planned = await run.run('plan', '-input=false', '-out=saved')
  expect(planned.code, planned.output).toBe(0)
  const { output: json } = await run.run('show', '-json', 'saved')
  const { resource_changes: changes } = JSON.parse(json.slice(json.indexOf('{'))) as {
    resource_changes: TerraformChange[]
  }
  const ours = changes.flatMap(changeFrom).map((change) => renderChange(change, createStyle(false)))
  const { output: text } = await run.run('show', 'saved')
  const theirs = text.split('following actions:\n\n')[1]!.split(/^Plan: /m)[0]!
  expect(ours.join('')).toBe(normal(theirs))
}

// Intended differences: a write-only value is never in a plan, so it is not shown; objects are deleted, not removed from files.
function normal(text: string): string {
  return text
    .replace(/^.*\(write-only attribute\).*\n/gm, '')
    .replace(/\(because (\S+) is not in configuration\)/g, '(because $1 was deleted)')
}

interface TerraformChange extends Omit<PlanChange, 'action' | 'reason'> {
  readonly action_reason?: string
  readonly change: NonNullable<PlanChange['change']> & { readonly actions: readonly string[] }
}

function changeFrom({ action_reason: reason, ...change }: TerraformChange): PlanChange[] {
  const known = actions[change.change.actions.join(',')]
  if (known === undefined) return []
  const { before, after, before_sensitive, after_sensitive } = change.change
  // Hykube's plan JSON has null in the place of sensitive values, and lists those that differ.
  const values = {
    ...change.change,
    before: redact(before, before_sensitive),
    after: redact(after, after_sensitive),
    changed_sensitive: changedSensitive(change.change),
  }
  return [{ ...change, ...known, ...(reason !== undefined && { reason }), change: values }]
}

function changedSensitive(
  change: TerraformChange['change'],
): { path: string[]; action: 'create' | 'update' | 'delete' }[] {
  const member = (side: unknown, key: string) => (side as Record<string, unknown> | null)?.[key] ?? null
  const masks = [change.before_sensitive, change.after_sensitive].filter(
    (mask) => typeof mask === 'object' && mask !== null,
  )
  const names = new Set(
    masks.flatMap((mask) => Object.keys(mask as object).filter((key) => member(mask, key) === true)),
  )
  return [...names].flatMap((key) => {
    const before = member(change.before, key)
    const after = member(change.after_unknown, key) === true ? 'unknown' : member(change.after, key)
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    return [{ path: [key], action: before === null ? 'create' : after === null ? 'delete' : 'update' }]
  })
}

const actions: Readonly<Record<string, Pick<PlanChange, 'action' | 'order'>>> = {
  create: { action: 'create' },
  update: { action: 'update' },
  delete: { action: 'delete' },
  read: { action: 'read' },
  'delete,create': { action: 'replace', order: 'delete-first' },
  'create,delete': { action: 'replace', order: 'create-first' },
}

function redact(value: unknown, mask: unknown): unknown {
  if (mask === true) return null
  const inner = (key: string | number) => (mask as Record<string | number, unknown> | undefined)?.[key]
  if (Array.isArray(value)) return value.map((part, index) => redact(part, inner(index)))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, redact(part, inner(key))]))
}

const first = `
provider "sim" { world = "world" }
resource "sim_network" "main" {
  name = "main"
  cidr = "10.0.0.0/16"
}
resource "sim_subnet" "a" {
  network_id = sim_network.main.id
  cidr       = "10.0.1.0/24"
}
resource "sim_instance" "web" {
  count     = 2
  subnet_id = sim_subnet.a.id
  image     = "img-debian"
  tags      = { zone = "a", team = "web" }
}
resource "sim_bucket" "files" {
  name = "files"
  rules { prefix = "logs/" }
  rules {
    prefix     = "tmp/"
    action     = "archive"
    after_days = 3
  }
  tags = { policy = jsonencode({ version = 1, allow = ["a", "b", "c"] }), note = "one\\ntwo\\nthree\\n" }
}
resource "sim_database" "main" { name = "main" }
resource "sim_secret" "key" {
  name          = "key"
  value         = "hunter2"
  value_version = 1
}
resource "sim_null" "after" {
  triggers = { address = sim_instance.web[0].private_ip }
}
`

const second = `
provider "sim" { world = "world" }
resource "sim_network" "main" {
  name = "first line\\nsecond line\\nthird line"
  cidr = "10.0.0.0/16"
}
resource "sim_subnet" "a" {
  network_id = sim_network.main.id
  cidr       = "10.0.2.0/24"
  lifecycle { create_before_destroy = true }
}
resource "sim_instance" "web" {
  count     = 3
  subnet_id = sim_subnet.a.id
  image     = "img-debian"
  size      = "large"
  tags      = { zone = "b", other = "x" }
}
resource "sim_bucket" "files" {
  name = "files"
  rules { prefix = "logs/" }
  rules {
    prefix     = "tmp/"
    after_days = 4
  }
  rules { prefix = "new/" }
  tags = { policy = jsonencode({ version = 1, allow = ["a", "c", "d"], deny = {} }), note = "one\\n2\\nthree\\n" }
}
resource "sim_database" "main" {
  name = "main"
  size = "large"
}
resource "sim_secret" "key" {
  name          = "key"
  value         = "hunter2"
  value_version = 2
}
`

const third = `
provider "sim" { world = "world" }
`
