// Renders the controls of HAL-FORMS templates, and reads what they contain. The server and the
// scripts of pages use this one file, each with its own function `create(name, attributes,
// ...children)`.

/** The label and the control of a property, with its initial value. */
export function formField(create, form, property, current) {
  const { name, prompt = name, required, value = current } = property
  const id = `${form}-${name}`
  const mark = required ? [' ', create('span', { 'aria-hidden': 'true' }, '*')] : []
  return create('label', { for: id }, create('span', {}, prompt, ...mark), control(create, id, property, value))
}

function control(create, id, property, value) {
  const { name, required, readOnly, placeholder, regex: pattern, type = 'text', options } = property
  const common = { id, name, required: required ? '' : undefined, readonly: readOnly ? '' : undefined }
  if (options?.inline) return selection(create, common, options, value)
  const { min, max, minLength: minlength, maxLength: maxlength, step } = property
  const limited = { ...common, min, max, minlength, maxlength, step, placeholder, dir: 'auto' }
  if (type === 'textarea') return create('textarea', defined({ ...limited, rows: '2' }), toText(value))
  // A saved password is that of the user who is logged in.
  const autocomplete = type === 'password' ? 'new-password' : undefined
  return create('input', defined({ ...limited, type, pattern, autocomplete, value: toText(value) }))
}

// A choice of one value, or of several (HAL-FORMS, `maxItems`).
function selection(create, common, { inline, maxItems }, value) {
  const isMultiple = maxItems !== 1
  const chosen = [value].flat().map(toText)
  const choices = inline.map((option) => {
    const { value: word, prompt = word } = typeof option === 'string' ? { value: option } : option
    return create('option', defined({ value: word, selected: chosen.includes(word) ? '' : undefined }), prompt)
  })
  const none = common.required === '' || isMultiple ? [] : [create('option', {})]
  const several = isMultiple ? { multiple: '', size: Math.min(inline.length, 5) } : {}
  return create('select', defined({ ...common, ...several }), ...none, ...choices)
}

// Values other than strings are shown, and sent back, as JSON.
function toText(value) {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function defined(attributes) {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}

/** Returns the values of a form. A PATCH removes what is empty; other methods do not send it. */
export function valuesOf(form, method) {
  const values = {}
  for (const control of form.elements) {
    if (!control.name || control.readOnly) continue
    const { name, value } = control
    if (control.multiple) values[name] = [...control.selectedOptions].map((option) => option.value)
    else if (value !== '') values[name] = toValue(control)
    else if (method === 'PATCH') values[name] = null
  }
  return values
}

// Objects and lists have a sample of their JSON as the placeholder, and a yes or no is a choice.
function toValue({ localName, type, value, placeholder }) {
  if (type === 'number') return Number(value)
  const isJson = localName === 'select' ? value === 'true' || value === 'false' : /^[[{]/.test(placeholder)
  if (!isJson) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
