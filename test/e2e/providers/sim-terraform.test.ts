import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { TerraformRun } from './terraform-run.ts'

const executable = fileURLToPath(new URL('../../../providers/sim/bin/terraform-provider-sim', import.meta.url))

const estate = `
provider "sim" {
  world = "world"
}
variable "image" { default = "ubuntu" }
variable "size" { default = "small" }
variable "version_of_secret" { default = 1 }
data "sim_image" "this" { name = var.image }
data "sim_region" "this" {}
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
  image     = data.sim_image.this.id
  size      = var.size
  tags      = { zone = data.sim_region.this.zones[count.index] }
}
resource "sim_bucket" "files" {
  name = "files"
  rules { prefix = "logs/" }
  rules {
    prefix     = "tmp/"
    action     = "archive"
    after_days = 3
  }
}
resource "sim_database" "main" { name = "main" }
resource "sim_secret" "key" {
  name          = "key"
  value         = "hunter2"
  value_version = var.version_of_secret
}
resource "sim_null" "after" {
  triggers = { address = sim_instance.web[0].private_ip }
}
output "password" {
  value     = sim_database.main.password
  sensitive = true
}
`

describeWith(['terraform'], 'hykube/sim under real terraform', (terraform) => {
  test('an estate is planned, applied, found unchanged, changed, replaced and destroyed', {
    timeout: 120_000,
  }, async () => {
    const run = new TerraformRun(terraform, { sim: executable })
    run.write(estate)
    const first = await run.plan()
    expect(first.output).toContain('Plan: 8 to add, 0 to change, 0 to destroy.')
    expect(first.code).toBe(2)
    const applied = await run.apply()
    expect(applied.output).toContain('Apply complete! Resources: 8 added, 0 changed, 0 destroyed.')
    expect(await run.plan()).toMatchObject({ code: 0 })
    const state = readFileSync(join(run.directory, 'terraform.tfstate'), 'utf8')
    expect(state).not.toContain('hunter2')
    expect(applied.output).not.toContain(JSON.parse(state).outputs.password.value)

    const inPlace = await run.plan('-var=size=large', '-var=version_of_secret=2')
    expect(inPlace.output).toContain('Plan: 0 to add, 3 to change, 0 to destroy.')
    const replaced = await run.apply('-var=image=debian')
    expect(replaced.output).toContain('forces replacement')
    expect(replaced.output).toContain('Resources: 3 added, 0 changed, 3 destroyed.')
    expect(await run.plan('-var=image=debian')).toMatchObject({ code: 0 })

    const destroyed = await run.run('destroy', '-auto-approve', '-var=image=debian')
    expect(destroyed.output).toContain('Destroy complete! Resources: 8 destroyed.')
    const world = join(run.directory, 'world')
    expect(readdirSync(world).flatMap((type) => readdirSync(join(world, type)))).toEqual([])
  })

  test('drift is seen and undone, and what was deleted outside is made again', { timeout: 120_000 }, async () => {
    const run = new TerraformRun(terraform, { sim: executable })
    run.write(estate)
    await run.apply()
    const networks = join(run.directory, 'world', 'sim_network')
    const file = join(networks, readdirSync(networks)[0]!)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"main"', '"edited by hand"'))
    const drifted = await run.plan()
    expect(drifted).toMatchObject({ code: 2 })
    expect(drifted.output).toMatch(/name\s+= "edited by hand" -> "main"/)
    expect((await run.apply()).output).toContain('Resources: 0 added, 1 changed, 0 destroyed.')
    expect(readFileSync(file, 'utf8')).toContain('"main"')
    const buckets = join(run.directory, 'world', 'sim_bucket')
    rmSync(join(buckets, readdirSync(buckets)[0]!))
    expect((await run.apply()).output).toContain('Resources: 1 added, 0 changed, 0 destroyed.')
    expect(readdirSync(buckets)).toHaveLength(1)
  })

  test('an object is imported by its id', { timeout: 120_000 }, async () => {
    const run = new TerraformRun(terraform, { sim: executable })
    const network = 'resource "sim_network" "main" {\n  name = "main"\n  cidr = "10.0.0.0/16"\n}\n'
    run.write(`provider "sim" {\n  world = "sqlite:world.db"\n}\n${network}`)
    await run.apply()
    const id = JSON.parse(readFileSync(join(run.directory, 'terraform.tfstate'), 'utf8')).resources[0].instances[0]
      .attributes.id
    await run.run('state', 'rm', 'sim_network.main')
    const imported = await run.run('import', 'sim_network.main', id)
    expect(imported.output).toContain('Import successful!')
    expect(await run.plan()).toMatchObject({ code: 0 })
  })

  test('a wrong value and a failure are told with their places and reasons', { timeout: 120_000 }, async () => {
    const run = new TerraformRun(terraform, { sim: executable })
    run.write('resource "sim_network" "main" {\n  name = "main"\n  cidr = "nowhere"\n}\n')
    const refused = await run.plan()
    expect(refused.code).toBe(1)
    expect(refused.output).toMatch(/on main\.tf line 3/)
    run.write('provider "sim" {\n  failure_rate = 1\n}\nresource "sim_null" "main" {}\n')
    const failed = await run.apply()
    expect(failed.code).toBe(1)
    expect(failed.output).toContain('Simulated failure')
  })
})
