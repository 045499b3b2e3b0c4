import { describe, expect, test } from 'vitest'
import { RecentConcurrency } from './recent-concurrency.ts'

describe('a light user under contention', () => {
  test('is not a user without others beside it', () => {
    const recent = new RecentConcurrency(1000)
    expect(recent.isLightUserUnderContention('a', 1, 0)).toBe(false)
    expect(recent.isLightUserUnderContention('a', 1, 1500)).toBe(false)
  })

  test('is a user with few requests beside a user with many', () => {
    const recent = new RecentConcurrency(1000)
    recent.isLightUserUnderContention('flood', 500, 0)
    expect(recent.isLightUserUnderContention('small', 1, 1)).toBe(true)
  })

  test('is not a user that had many requests recently', () => {
    const recent = new RecentConcurrency(1000)
    recent.isLightUserUnderContention('small', 1, 0)
    recent.isLightUserUnderContention('flood', 500, 1)
    expect(recent.isLightUserUnderContention('flood', 1, 2)).toBe(false)
    expect(recent.isLightUserUnderContention('flood', 1, 1100)).toBe(false)
  })

  test('is a user that had many requests two periods ago', () => {
    const recent = new RecentConcurrency(1000)
    recent.isLightUserUnderContention('flood', 500, 0)
    for (const now of [1100, 2200]) recent.isLightUserUnderContention('small', 1, now)
    expect(recent.isLightUserUnderContention('flood', 1, 2201)).toBe(true)
  })

  test('is not a user whose competitors were active two periods ago', () => {
    const recent = new RecentConcurrency(1000)
    recent.isLightUserUnderContention('flood', 500, 0)
    expect(recent.isLightUserUnderContention('small', 1, 2000)).toBe(false)
  })

  test('is a user whose competitors were active in the previous period', () => {
    const recent = new RecentConcurrency(1000)
    recent.isLightUserUnderContention('flood', 500, 900)
    expect(recent.isLightUserUnderContention('small', 1, 1950)).toBe(true)
  })
})
