import { describe, expect, test } from 'vitest'
import { providerLimitsFrom } from './provider-limits.ts'

describe('the limits of a provider process', () => {
  test('has defaults', () => {
    expect(providerLimitsFrom({})).toEqual({
      memory: 4 * 2 ** 30,
      answer: 2 ** 23,
      callTimeout: 1_200_000,
      applyTimeout: 21_600_000,
      fetchTimeout: 30_000,
    })
  })

  test('is read as people write it', () => {
    const given = { providerMemoryLimit: '300Mi', providerCallTimeout: '1m30s', providerApplyTimeout: '90m' }
    expect(providerLimitsFrom(given)).toMatchObject({
      memory: 300 * 2 ** 20,
      callTimeout: 90_000,
      applyTimeout: 5_400_000,
    })
  })

  test.each([
    [{ providerMemoryLimit: '1Mi' }, '--provider-memory-limit is "1Mi", but must be from 32Mi to 1Ti'],
    [{ providerMemoryLimit: 'much' }, '--provider-memory-limit is "much"'],
    [{ providerAnswerLimit: '1Gi' }, '--provider-answer-limit is "1Gi", but must be from 1Mi to 32Mi'],
    [{ providerCallTimeout: '5' }, '--provider-call-timeout is "5"'],
    [{ providerApplyTimeout: '7h' }, '--provider-apply-timeout is "7h", but must be from 1s to 6h'],
  ])('is refused where it makes no sense: %j', (given, message) => {
    expect(() => providerLimitsFrom(given)).toThrow(message)
  })
})
