import { expect, it } from 'vitest'
import { hasFormat } from './format.ts'

it.each([
  ['ipv4', '10.0.0.1', '10.0.0.256'],
  ['ipv6', '2001:db8::1', '2001:db8::1::2'],
  ['ipv6', '::ffff:10.0.0.1', '1.2.3.4'],
  ['cidr', '10.0.0.0/8', '10.0.0.0/33'],
  ['date-time', '2026-01-02T03:04:05Z', '2026-02-30T03:04:05Z'],
  ['date', '2026-01-02', '2026-13-01'],
  ['duration', '1h30m', '1 fortnight'],
  ['email', 'a@b.c', 'a.b.c'],
  ['hostname', 'a-b.example.com', '-a.example.com'],
  ['uri', 'https://example.com/a', 'not a uri'],
  ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123e4567'],
  ['uuid4', '123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
  ['mac', '00:1b:44:11:3a:b7', '00:1b:44'],
  ['byte', 'aGk=', 'a'],
  ['isbn', '978-3-16-148410-0', '978-3-16-148410-1'],
  ['creditcard', '4111 1111 1111 1111', '4111 1111 1111 1112'],
  ['hexcolor', '#fff', '#ggg'],
  ['rgbcolor', 'rgb(1, 2, 3)', 'rgb(1, 2, 300)'],
  ['k8s-short-name', 'a-b', 'A'],
  ['k8s-long-name', 'a.b', 'a..b'],
])('%s accepts %j and rejects %j', (format, good, bad) => {
  expect(hasFormat(format, good)).toBe(true)
  expect(hasFormat(format, bad)).toBe(false)
})
