import { expect, test } from 'vitest'
import { type Control, formField, valuesOf } from './assets/forms.js'
import { createElement } from './html.ts'

const input = { localName: 'input', name: 'it', type: 'text', value: '' }
const select = { localName: 'select', name: 'it', value: '' }

test.each<[what: string, control: Control, value: unknown]>([
  ['text', { ...input, value: 'true' }, 'true'],
  ['a number', { ...input, type: 'number', value: '1.50' }, 1.5],
  ['a yes', { ...select, value: 'true' }, true],
  ['a choice', { ...select, value: 'CARD' }, 'CARD'],
  ['several choices', { ...select, multiple: true, selectedOptions: [{ value: 'a' }, { value: 'b' }] }, ['a', 'b']],
  ['no choice of several', { ...select, multiple: true, selectedOptions: [] }, []],
  ['an object', { ...input, placeholder: '{"amount":"1"}', value: '{"amount":"2"}' }, { amount: '2' }],
  ['what is no JSON', { ...input, placeholder: '[1]', value: '[1' }, '[1'],
])('reads %s as what the field takes', (_what, control, value) => {
  expect(valuesOf({ elements: [control] }, 'PUT')).toEqual({ it: value })
})

test.each([
  ['PATCH', { it: null }],
  ['PUT', {}],
  ['POST', {}],
])('sends an empty field with %s as %j', (method, values) => {
  expect(valuesOf({ elements: [input] }, method)).toEqual(values)
})

test('does not send buttons, or what cannot be changed', () => {
  const elements = [
    { ...input, name: '', value: 'x' },
    { ...input, readOnly: true, value: 'x' },
  ]
  expect(valuesOf({ elements }, 'PATCH')).toEqual({})
})

test('draws a field with its limits, and text as text', () => {
  const property = { name: 'sku', required: true, readOnly: true, regex: '[A-Z]+', min: 0, maxLength: 9, prompt: '<b>' }
  expect(String(formField(createElement, 'f', property, '"'))).toBe(
    '<label for="f-sku"><span>&lt;b&gt; <span aria-hidden="true">*</span></span><input id="f-sku" name="sku" required="" readonly="" min="0" maxlength="9" dir="auto" type="text" pattern="[A-Z]+" value="&quot;"></label>',
  )
})
