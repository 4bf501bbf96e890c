// Read Parquet files with foreign readers and print what they saw, for the tests of package results.
//
// Usage: node readparquet.mjs NODE_MODULES FILE...
//
// Prints one JSON object: file -> reader -> column -> list of values as text. Integers are in decimal,
// floats are their 64 bits in hexadecimal, booleans true or false.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [modules, ...files] = process.argv.slice(2)
const require = createRequire(pathToFileURL(join(resolve(modules), 'x.js')))
const load = async (name) => import(pathToFileURL(require.resolve(name)))

const { parquetReadObjects } = await load('hyparquet')
const { compressors } = await load('hyparquet-compressors')
const { readParquet } = await load('parquet-wasm')
const { tableFromIPC } = await load('apache-arrow')

function text(value) {
  if (value === null || value === undefined) return 'null'
  if (typeof value !== 'number') return String(value) // string, boolean, or BigInt for every integer
  if (Number.isNaN(value)) return 'NaN'
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, value)
  return bits.getBigUint64(0).toString(16).padStart(16, '0')
}

async function readHyparquet(bytes) {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const columns = {}
  for (const row of await parquetReadObjects({ file, compressors })) {
    for (const [name, value] of Object.entries(row)) (columns[name] ??= []).push(text(value))
  }
  return columns
}

function readWasm(bytes) {
  const arrow = tableFromIPC(readParquet(bytes).intoIPCStream())
  const columns = {}
  for (const { name } of arrow.schema.fields) columns[name] = [...arrow.getChild(name)].map(text)
  return columns
}

const report = {}
for (const path of files) {
  const bytes = readFileSync(path)
  report[path] = { hyparquet: await readHyparquet(bytes), 'parquet-wasm': readWasm(new Uint8Array(bytes)) }
}
process.stdout.write(JSON.stringify(report))
