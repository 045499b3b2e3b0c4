import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeWith } from '../real-parts/index.ts'
import { runCelCase } from './cel-case.ts'
import { celDifferences, filesLeftOut } from './cel-differences.ts'
import { expectDifferences } from './differences.ts'
import { parseTextProto, type TextMessage } from './text-proto.ts'

describeWith(['cel-spec'], 'the cases of the CEL specification', (directory) => {
  const cases = join(directory, 'tests/simple/testdata')
  const files = readdirSync(cases).filter((file) => file.endsWith('.textproto'))

  test('every file is run or excluded with a reason', () => {
    const leftOut = Object.values(filesLeftOut).flat()
    expect(leftOut.filter((name) => !files.includes(`${name}.textproto`))).toEqual([])
  })

  test.each(files.map((file) => file.replace('.textproto', '')).filter((name) => !isLeftOut(name)))('%s', (name) => {
    const file = parseTextProto(readFileSync(join(cases, `${name}.textproto`), 'utf8'))
    const failed: string[] = []
    for (const section of (file.section ?? []) as TextMessage[]) {
      for (const each of (section.test ?? []) as TextMessage[])
        if (runCelCase(each) !== 'right') failed.push(`${name}/${section.name?.[0]}/${each.name?.[0]}`)
    }
    const known = Object.entries(celDifferences).map(([reason, names]) => [
      reason,
      names.filter((each) => each.startsWith(`${name}/`)),
    ])
    expectDifferences(failed, Object.fromEntries(known))
  })
})

function isLeftOut(name: string): boolean {
  return Object.values(filesLeftOut).some((names) => names.includes(name))
}
