import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../real-parts/index.ts'
import { TerraformRun } from './providers/terraform-run.ts'
import { client, startServer, type TestServer } from './server.ts'

const sim = fileURLToPath(new URL('../../providers/sim/bin/terraform-provider-sim', import.meta.url))
const program = fileURLToPath(new URL('../../bin/hykube', import.meta.url))

const zone = `
terraform {
  required_providers {
    sim = { source = "local/test/sim" }
  }
}
variable "cidr" {}
resource "sim_network" "main" {
  name = "zone"
  cidr = var.cidr
}
resource "sim_subnet" "a" {
  network_id = sim_network.main.id
  cidr       = var.cidr
}
output "subnet" { value = sim_subnet.a.id }
`

const estate = (world: string) => `
provider "sim" {
  world = ${JSON.stringify(world)}
}
data "sim_image" "this" { name = "ubuntu" }
data "sim_region" "this" {}
module "zone" {
  source   = "./zone"
  for_each = { eu = "10.1.0.0/16", us = "10.2.0.0/16" }
  cidr     = each.value
}
resource "sim_instance" "web" {
  count     = 3
  subnet_id = module.zone["eu"].subnet
  image     = data.sim_image.this.id
  size      = "large"
  tags      = { Name = "web-\${count.index}" }
}
resource "sim_instance" "zoned" {
  count     = 2
  subnet_id = module.zone["us"].subnet
  image     = data.sim_image.this.id
  tags      = { zone = data.sim_region.this.zones[count.index] }
}
resource "sim_bucket" "files" {
  for_each = toset(["logs", "backups"])
  name     = "files-\${each.key}"
  rules { prefix = "\${each.key}/" }
  rules {
    prefix     = "tmp/$\${x}"
    action     = "archive"
    after_days = 3
  }
}
resource "sim_database" "main" { name = "main" }
resource "sim_null" "after" {
  triggers   = { address = sim_instance.web[0].private_ip }
  depends_on = [sim_database.main]
  lifecycle { create_before_destroy = true }
}
`

function writeEstate(run: TerraformRun): string {
  const world = join(run.directory, 'world')
  mkdirSync(join(run.directory, 'zone'))
  writeFileSync(join(run.directory, 'zone', 'main.tf'), zone)
  run.write(estate(world))
  return world
}

const provider = (name: string, spec: object) =>
  JSON.stringify({ apiVersion: 'hykube.io/v1alpha1', kind: 'Provider', metadata: { name }, spec })

describeWith(['terraform'], 'a state file of real terraform', (terraform) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.remove())

  test('is taken over without a change, and given back without one', { timeout: 120_000 }, async () => {
    const hykube = client(program, server)
    const run = new TerraformRun(terraform, { sim })
    const world = writeEstate(run)
    await run.run('init')
    const applied = await run.apply()
    expect(applied.output).toContain('Apply complete!')
    const file = join(run.directory, 'terraform.tfstate')
    writeFileSync(join(run.directory, 'provider.yaml'), provider('sim', { source: 'hykube/sim', config: { world } }))
    const written = await hykube(['apply', '-f', join(run.directory, 'provider.yaml'), '--auto-approve'])
    expect(written.code, written.stderr).toBe(0)

    const dry = await hykube(['import-state', file, '--dry-run'])
    expect(dry.stdout, dry.stderr).toContain('Dry run: 9 to adopt, 0 adopted before, 0 refused.')
    const taken = await hykube(['import-state', file])
    expect(taken.stdout, taken.stderr).toContain('module.zone["eu"].sim_subnet.a → sim-subnets/zone-eu-a')
    expect(taken.stdout).toContain('Import complete! Objects: 9 adopted, 0 adopted before, 0 refused.')
    expect(taken).toMatchObject({ code: 0 })
    const again = await hykube(['import-state', file])
    expect(again.stdout).toContain('Objects: 0 adopted, 9 adopted before, 0 refused.')

    const shown = async (address: string) => JSON.parse((await hykube(['show', address, '-o', 'json'])).stdout).spec
    // Terraform's state also sets create_before_destroy on all dependencies of such a resource.
    expect(await shown('sim_subnet["zone-eu-a"]')).toEqual({
      lifecycle: { create_before_destroy: true },
      network_id: '${sim_network["zone-eu-main"].id}',
      cidr: '10.1.0.0/16',
    })
    expect(await shown('sim_instance.web')).toMatchObject({
      count: 3,
      subnet_id: '${sim_subnet["zone-eu-a"].id}',
      size: 'large',
      tags: { Name: 'web-${count.index}' },
    })
    expect(await shown('sim_bucket.files')).toMatchObject({
      for_each: ['backups', 'logs'],
      name: 'files-${each.key}',
      rules: [{ prefix: '${each.key}/' }, { prefix: 'tmp/$${x}', action: 'archive', after_days: 3 }],
    })
    expect(await shown('sim_null.after')).toMatchObject({
      depends_on: expect.arrayContaining(['sim_database.main']),
      lifecycle: { create_before_destroy: true },
    })
    const plan = await hykube(['plan', '--replan', '--refresh', 'all', '--detailed-exitcode'])
    expect(plan.stdout, plan.stderr).toMatch(/^No changes\.$/m)
    expect(plan.code).toBe(0)

    // The same resources again, without modules: as the objects are called now.
    const back = new TerraformRun(terraform, { sim })
    back.write(flat(world))
    const exported = await hykube([
      'export-state',
      '--out',
      join(back.directory, 'terraform.tfstate'),
      '--provider',
      'sim=local/test/sim',
    ])
    expect(exported.stderr).toContain('Wrote 9 resources')
    const planned = await back.plan()
    expect(planned.output).toContain('No changes.')
    expect(planned.code).toBe(0)
    const destroyed = await back.run('destroy', '-auto-approve')
    expect(destroyed.output).toContain('Destroy complete! Resources: 13 destroyed.')
  })

  test('of another version, or with colliding names, is refused', async () => {
    const hykube = client(program, server)
    const file = join(server.dataDirectory, 'odd.tfstate')
    writeFileSync(file, JSON.stringify({ version: 3, modules: [] }))
    expect(await hykube(['import-state', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('version 4'),
    })
    const resource = (module: string) => ({
      mode: 'managed',
      module,
      type: 'sim_network',
      name: 'main',
      provider: 'provider["registry.terraform.io/local/sim"]',
      instances: [{ attributes: { id: 'x', name: 'n', cidr: '10.0.0.0/8' } }],
    })
    writeFileSync(file, JSON.stringify({ version: 4, resources: [resource('module.a-b'), resource('module.a["b"]')] }))
    const same = await hykube(['import-state', file])
    expect(same).toMatchObject({ code: 1, stderr: expect.stringContaining('would become the same object') })
  })

  test('is adopted without the resources that only Terraform has or that have no Provider, and says so', async () => {
    const hykube = client(program, server)
    const file = join(server.dataDirectory, 'mixed.tfstate')
    const resource = (type: string, name: string, source: string, attributes: object) => ({
      ...{ mode: 'managed', type, name, provider: `provider["${source}"]` },
      instances: [{ schema_version: 0, attributes }],
    })
    const network = { id: 'net-mixed', name: 'mixed', cidr: '10.7.0.0/16' }
    const resources = [
      resource('sim_network', 'mixed', 'registry.terraform.io/local/sim', network),
      resource('terraform_data', 'marker', 'terraform.io/builtin/terraform', { id: 'x' }),
      resource('aws_vpc', 'main', 'registry.terraform.io/hashicorp/aws', { id: 'vpc-1' }),
    ]
    writeFileSync(file, JSON.stringify({ version: 4, resources }))
    const { code, stdout } = await hykube(['import-state', file, '--dry-run'])
    expect(code).toBe(1)
    expect(stdout).toContain(
      'sim_network.mixed → sim-networks/mixed: no changes\n    name: mixed\n    cidr: 10.7.0.0/16\n',
    )
    expect(stdout).toContain('terraform_data.marker: skipped: it exists only in Terraform\n')
    expect(stdout).toContain(
      'aws_vpc.main: refused: no Provider has the type aws_vpc; install it with: hykube providers install hashicorp/aws\n',
    )
    expect(stdout).toContain('Dry run: 1 to adopt, 0 adopted before, 1 skipped, 1 refused.')
    writeFileSync(file, JSON.stringify({ version: 4, resources: resources.slice(0, 2) }))
    expect((await hykube(['import-state', file, '--dry-run'])).code).toBe(0)
  })

  test('is exported to a new file, and overwrites one only with --force', async () => {
    const hykube = client(program, server)
    const file = join(server.dataDirectory, 'exported.tfstate')
    writeFileSync(file, 'precious')
    expect(await hykube(['export-state', '--out', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists already\n  To overwrite it:  --force'),
    })
    expect(readFileSync(file, 'utf8')).toBe('precious')
    expect((await hykube(['export-state', '--out', file, '--force'])).code).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 4 })
  })
})

const flat = (world: string) => `
provider "sim" {
  world = ${JSON.stringify(world)}
}
data "sim_image" "this" { name = "ubuntu" }
data "sim_region" "this" {}
resource "sim_network" "zone-eu-main" {
  name = "zone"
  cidr = "10.1.0.0/16"
}
resource "sim_network" "zone-us-main" {
  name = "zone"
  cidr = "10.2.0.0/16"
}
resource "sim_subnet" "zone-eu-a" {
  network_id = sim_network.zone-eu-main.id
  cidr       = "10.1.0.0/16"
}
resource "sim_subnet" "zone-us-a" {
  network_id = sim_network.zone-us-main.id
  cidr       = "10.2.0.0/16"
}
resource "sim_instance" "web" {
  count     = 3
  subnet_id = sim_subnet.zone-eu-a.id
  image     = data.sim_image.this.id
  size      = "large"
  tags      = { Name = "web-\${count.index}" }
}
resource "sim_instance" "zoned" {
  for_each  = { 0 = data.sim_region.this.zones[0], 1 = data.sim_region.this.zones[1] }
  subnet_id = sim_subnet.zone-us-a.id
  image     = data.sim_image.this.id
  tags      = { zone = each.value }
}
resource "sim_bucket" "files" {
  for_each = toset(["logs", "backups"])
  name     = "files-\${each.key}"
  rules { prefix = "\${each.key}/" }
  rules {
    prefix     = "tmp/$\${x}"
    action     = "archive"
    after_days = 3
  }
}
resource "sim_database" "main" { name = "main" }
resource "sim_null" "after" {
  triggers   = { address = sim_instance.web[0].private_ip }
  depends_on = [sim_database.main]
  lifecycle { create_before_destroy = true }
}
`

describeWith(['terraform', 'terraform-provider-time'], 'a state file with hashicorp/time', (terraform, time) => {
  test('is taken over without a change', { timeout: 120_000 }, async () => {
    const server = await startServer({ arguments: ['--store', 'memory:', '--provider-dir', dirname(time)] })
    try {
      const hykube = client(program, server)
      const run = new TerraformRun(terraform, { time })
      run.write(`
resource "time_static" "now" { triggers = { a = "1" } }
resource "time_static" "given" { rfc3339 = "2026-01-01T00:00:00Z" }
resource "time_offset" "later" {
  base_rfc3339 = time_static.now.rfc3339
  offset_days  = 3
}
resource "time_offset" "many" {
  count        = 3
  offset_hours = count.index + 1
}
resource "time_rotating" "monthly" { rotation_months = 1 }
resource "time_sleep" "wait" {
  create_duration = "1ms"
  depends_on      = [time_offset.later]
}
`)
      expect((await run.apply()).output).toContain('Apply complete! Resources: 8 added')
      writeFileSync(join(run.directory, 'provider.yaml'), provider('time', { source: 'local/time' }))
      const written = await hykube(['apply', '-f', join(run.directory, 'provider.yaml'), '--auto-approve'])
      expect(written.code, written.stderr).toBe(0)
      const taken = await hykube(['import-state', join(run.directory, 'terraform.tfstate')])
      expect(taken.stdout, taken.stderr).toContain('Objects: 6 adopted, 0 adopted before, 0 refused.')
      const plan = await hykube(['plan', '--replan', '--refresh', 'all', '--detailed-exitcode'])
      expect(plan.stdout, plan.stderr).toMatch(/^No changes\.$/m)
      expect(readFileSync(join(run.directory, 'terraform.tfstate'), 'utf8')).toContain('time_sleep')
    } finally {
      await server.remove()
    }
  })
})
