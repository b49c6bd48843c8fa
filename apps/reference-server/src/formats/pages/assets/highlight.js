// Splits JSON, XML and HTTP into tokens. The server and the scripts of pages use this one file.

const JSON_TOKEN = /("(?:[^"\\]|\\[^]?)*(?:"|$))(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b/g
const XML_TOKEN = /(<!--[^]*?(?:-->|$)|<\?[^]*?(?:\?>|$))|(<\/?[\w:.-]+)|(?<=\s)([\w:.-]+)(=)("[^"]*"|'[^']*')|(\/?>)/g

/** Returns the parts of a text in their order, each with its kind; `''` is plain text. */
export function tokenize(text, type) {
  if (/json/.test(type)) return split(text, JSON_TOKEN, jsonParts)
  if (/xml|html/.test(type)) return split(text, XML_TOKEN, xmlParts)
  return [['', text]]
}

function split(text, pattern, toParts) {
  const parts = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push(['', text.slice(end, match.index)])
    parts.push(...toParts(match))
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(['', text.slice(end)])
  return parts
}

function jsonParts([whole, string, colon, number]) {
  if (string !== undefined)
    return colon === undefined
      ? [['s', string]]
      : [
          ['k', string],
          ['', colon],
        ]
  return [[number === undefined ? 'l' : 'n', whole]]
}

function xmlParts([whole, comment, tag, attribute, equals, value]) {
  if (comment !== undefined) return [['c', comment]]
  if (tag !== undefined) return [['k', tag]]
  if (attribute === undefined) return [['k', whole]]
  return [
    ['a', attribute],
    ['', equals],
    ['s', value],
  ]
}
