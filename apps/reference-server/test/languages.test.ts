import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from './service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.running.stop())

const details = async (language: string): Promise<string[]> => {
  const json = { name: 'x'.repeat(101), department: 7 }
  const call = { as: 'ada', method: 'POST', path: '/employees', json, headers: { 'accept-language': language } }
  const { text } = await service.check(call, {
    status: 400,
    headers: { 'content-language': language.slice(0, 2), vary: /\bAccept-Language\b/i },
    body: { code: 'VALIDATION_FAILED' },
  })
  return JSON.parse(text).errors.map(({ detail }: { detail: string }) => detail)
}

test.each([
  ['en', ['must have at most 100 characters', 'must be a string', 'is required']],
  ['de', ['darf höchstens 100 Zeichen haben', 'muss ein Text sein', 'ist erforderlich']],
  ['fr-CA', ['doit avoir au plus 100 caractères', 'doit être un texte', 'est obligatoire']],
  ['es', ['debe tener como máximo 100 caracteres', 'debe ser un texto', 'es obligatorio']],
])('what is wrong with a body is told in %s, with its limits', async (language, expected) => {
  expect(await details(language)).toEqual(expected)
})

test('a language that is not there is English', async () => {
  const headers = { 'accept-language': 'ja, fi;q=0.5' }
  await service.check(
    { as: 'ada', path: '/employees/99999', headers },
    { status: 404, headers: { 'content-language': 'en' }, body: { message: 'Employee 99999 does not exist.' } },
  )
})
