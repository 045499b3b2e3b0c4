import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { TerraformRun } from './terraform-run.ts'

const executable = fileURLToPath(new URL('../../../providers/script/bin/terraform-provider-script', import.meta.url))

// A small store of files, as a person would write it: one program that is told what to do.
const store = `#!/usr/bin/env node
const { readFileSync, writeFileSync, rmSync, existsSync, appendFileSync } = require('node:fs')
const told = JSON.parse(readFileSync(0, 'utf8'))
appendFileSync('calls', told.operation + '\\n')
const id = told.id ?? told.input.name
const file = 'store-' + id + '.json'
if (told.operation === 'delete') { rmSync(file, { force: true }); process.exit(0) }
if (told.operation === 'read' && !existsSync(file)) { console.log('null'); process.exit(0) }
if (told.operation !== 'read') writeFileSync(file, JSON.stringify(told.input))
const input = JSON.parse(readFileSync(file, 'utf8'))
if (input.broken) { console.error('refused with ' + process.env.TOKEN); process.exit(7) }
console.log(JSON.stringify({ id, input, output: { size: input.size, where: file }, sensitive_output: { key: 'k-' + id } }))
`

const estate = `
provider "script" {
  sensitive_environment = { TOKEN = "hunter2" }
}
variable "size" {
  type    = number
  default = 1
}
variable "trigger" { default = "a" }
variable "timeout" { default = 30 }
variable "broken" { default = false }
resource "script_resource" "disk" {
  create   = ["./store.cjs"]
  read     = ["./store.cjs"]
  update   = ["./store.cjs"]
  delete   = ["./store.cjs"]
  timeout  = var.timeout
  triggers = { t = var.trigger }
  input    = { name = "disk", size = var.size, labels = ["a", "b"], broken = var.broken }
}
`

const sum = `data "script_data" "sum" {
  read        = ["printf '{\\"output\\":{\\"sum\\":%s}}' $((SIZE + 1))"]
  interpreter = ["/bin/sh", "-c"]
  environment = { SIZE = script_resource.disk.output.size }
}
output "sum" { value = data.script_data.sum.output.sum }
`

describeWith(['terraform'], 'hykube/script under real terraform', (terraform) => {
  function start(): TerraformRun {
    const run = new TerraformRun(terraform, { script: executable })
    writeFileSync(join(run.directory, 'store.cjs'), store, { mode: 0o755 })
    run.write(estate + sum)
    return run
  }
  const stored = (run: TerraformRun) => join(run.directory, 'store-disk.json')

  test('commands make, change, replace and delete; nothing is called for nothing', { timeout: 120_000 }, async () => {
    const run = start()
    const calls = () => {
      const file = join(run.directory, 'calls')
      const made = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
      rmSync(file, { force: true })
      return made.filter((each) => each !== 'read')
    }
    const applied = await run.apply()
    expect(applied.output).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.')
    expect(applied.output).toMatch(/sum = "?2"?/)
    expect(calls()).toEqual(['create'])
    expect(await run.plan()).toMatchObject({ code: 0 })
    expect((await run.apply('-var=size=4')).output).toContain('Resources: 0 added, 1 changed, 0 destroyed.')
    expect(JSON.parse(readFileSync(stored(run), 'utf8'))).toMatchObject({ size: 4, labels: ['a', 'b'] })
    expect(calls()).toEqual(['update'])
    const waiting = await run.apply('-var=size=4', '-var=timeout=60')
    expect(waiting.output).toContain('Resources: 0 added, 1 changed, 0 destroyed.')
    expect(calls()).toEqual([])
    const replaced = await run.apply('-var=size=4', '-var=timeout=60', '-var=trigger=b')
    expect(replaced.output).toContain('Resources: 1 added, 0 changed, 1 destroyed.')
    expect(calls()).toEqual(['delete', 'create'])
    const destroyed = await run.run('destroy', '-auto-approve', '-var=size=4')
    expect(destroyed.output).toContain('Destroy complete! Resources: 1 destroyed.')
    expect(readdirSync(run.directory)).not.toContain('store-disk.json')
  })

  test('drift is seen and undone, and what is gone is made again', { timeout: 120_000 }, async () => {
    const run = start()
    await run.apply()
    writeFileSync(stored(run), readFileSync(stored(run), 'utf8').replace('"size":1', '"size":9'))
    const drifted = await run.plan()
    expect(drifted).toMatchObject({ code: 2 })
    expect(drifted.output).toMatch(/size\s+= 9 -> 1/)
    await run.apply()
    expect(readFileSync(stored(run), 'utf8')).toContain('"size":1')
    rmSync(stored(run))
    expect((await run.apply()).output).toContain('Resources: 1 added, 0 changed, 0 destroyed.')
  })

  test('a failure says which command, why and where, and no secret', { timeout: 120_000 }, async () => {
    const run = start()
    const failed = await run.apply('-var=broken=true')
    expect(failed.code).toBe(1)
    expect(failed.output).toContain('The create command failed')
    expect(failed.output).toContain('exit code 7')
    expect(failed.output).toMatch(/on main\.tf line 13/)
    expect(failed.output).not.toContain('hunter2')
    run.write('resource "script_resource" "empty" {\n  create = []\n}\n')
    expect((await run.plan()).output).toContain('It needs at least the name of a program')
  })

  test('an object is imported by its id, and the next apply takes it over', { timeout: 120_000 }, async () => {
    const run = start()
    await run.apply()
    run.write(estate)
    await run.run('state', 'rm', 'script_resource.disk')
    expect((await run.run('import', 'script_resource.disk', 'disk')).output).toContain('Import successful!')
    expect((await run.apply()).output).toContain('Resources: 0 added, 1 changed, 0 destroyed.')
    expect(await run.plan()).toMatchObject({ code: 0 })
  })
})
