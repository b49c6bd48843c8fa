import { hash } from 'node:crypto'

/**
 * Describes the files that a multipart parser left in `req.file` or `req.files`: one string per
 * file, with the hash of its bytes. Returns `undefined` if the bytes of a file are elsewhere, such
 * as on disk.
 */
export function readUploads(req: object): string[] | undefined {
  const { file, files } = req as { file?: unknown; files?: unknown }
  const uploads: string[] = []
  for (const [name, value] of [['', file] as const, ...Object.entries(files ?? {})]) {
    for (const upload of Array.isArray(value) ? value : [value]) {
      if (typeof upload !== 'object' || upload === null) continue
      const text = toText(name, upload)
      if (text === undefined) return undefined
      uploads.push(text)
    }
  }
  return uploads
}

interface Upload {
  fieldname?: unknown
  originalname?: unknown
  name?: unknown
  mimetype?: unknown
  size?: unknown
  /** Bytes in multer, with memory storage. */
  buffer?: unknown
  /** Bytes in express-fileupload; empty if the file is on disk. */
  data?: unknown
}

function toText(field: string, upload: Upload): string | undefined {
  const { fieldname = field, originalname = upload.name, mimetype, size, buffer, data } = upload
  const bytes = buffer ?? data
  if (!(bytes instanceof Uint8Array) || (size !== undefined && size !== bytes.length)) return undefined
  return JSON.stringify([fieldname, originalname, mimetype, hash('sha256', bytes)])
}
