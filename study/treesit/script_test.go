//go:build cgo

package treesit_test

import "testing"

func TestScriptHandRolled(t *testing.T) {
	samples := []sample{
		{"countdown with timers/promises", "loop 3 constant", `
import { setTimeout } from 'timers/promises'
export async function f(client) {
  let retries = 3
  while (retries > 0) {
    try {
      await client.send(new DeleteCommand())
      break
    } catch (error) {
      if (retries === 1) throw error
      retries--
      await setTimeout(5000)
    }
  }
}`},
		{"doubling, promise around setTimeout", "loop 5 exponential", `
async function f(url) {
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      return await fetch(url)
    } catch (err) {
      await new Promise((resolve) => setTimeout(resolve, 100 * Math.pow(2, attempt)))
    }
  }
}`},
		{"status test and full jitter", "loop 4 exponential+jitter", `
async function f(url) {
  const maxRetries = 3
  for (let i = 0; i <= maxRetries; i++) {
    const res = await fetch(url)
    if (res.ok) return res
    await sleep(Math.random() * 2 ** i * 1000)
  }
}`},
		{"recursive closure", "recursion 4 constant", `
async function f(kv) {
  let retryCount = 0
  const attemptUpdate = async () => {
    try {
      await kv.send(new PutCommand())
    } catch (error) {
      if (retryCount < 3) {
        retryCount++
        await new Promise((r) => setTimeout(r, 500))
        return attemptUpdate()
      }
      throw error
    }
  }
  await attemptUpdate()
}`},
		{"recursion by catch", "recursion 6 linear", `
function call(op, n = 0) {
  return op.execute().catch((err) => {
    if (n >= 5) throw err
    return delay(100 * (n + 1)).then(() => call(op, n + 1))
  })
}`},
		{"timer on an error event", "timer ever constant", `
class T {
  connect() {
    this.socket = net.connect(this.opts)
    this.socket.on('error', () => {
      this.logger.warn('lost')
      setTimeout(() => this.connect(), this.reconnectDelay)
    })
  }
}`},
		{"helper that schedules itself", "timer 6 exponential+jitter", `
const random = (a, b) => Math.random() * (b - a) + a
const start = (fn, resolve, reject) => {
  const retry = (wait, count = 0) => {
    const next = Math.min(random(wait * 0.8, wait * 1.2) * 2, 30000)
    const again = () => { setTimeout(() => retry(next, count + 1), wait) }
    fn().then(resolve).catch((e) => { if (count < 5) { again() } else { reject(e) } })
  }
  retry(300)
}`},
		{"polling that looks like a jittered retry", "", `
async function f(client) {
  let status = 'Running', retryCount = 0
  const maxRetries = 10
  while (status === 'Running' && retryCount < maxRetries) {
    const delay = Math.min(500 * Math.pow(2, retryCount) + Math.random() * 100, 10000)
    await new Promise((resolve) => setTimeout(resolve, delay))
    const response = await client.send(new GetResults())
    status = response.status
    retryCount++
  }
}`},
		{"recursive polling named retry", "", `
const callWithRetry = async () => {
  const d = await provider.request('describe')
  if (d.Status === 'COMPLETE') return d
  if (d.Status === 'PENDING') {
    await wait(1000)
    return await callWithRetry()
  }
  throw new Error('no')
}`},
		{"pagination", "", `
async function f(client) {
  let token
  do {
    const page = await client.send(new List({ token }))
    token = page.token
    await sleep(10)
  } while (token)
}`},
		{"periodic timer", "", `
class P {
  ping() {
    return this.transit.sendPing().then(() => { setTimeout(() => this.ping(), 1000 * this.opts.interval + delay) })
  }
}`},
		{"random first delay", "", "setTimeout(() => this.discover(), randomInt(500) + 500) // retry\n"},
	}
	run(t, ".js", samples)
	run(t, ".ts", samples)
	run(t, ".tsx", samples)
}

func TestTypeScriptTypesDoNotMatter(t *testing.T) {
	run(t, ".ts", []sample{
		{"types everywhere", "recursion 4 exponential", `
export async function move<T extends object>(from: string, to: string, retries: number = 3): Promise<T | void> {
  try {
    return (await api.transfer(from as any, to!)) satisfies T
  } catch (err: unknown) {
    if (retries > 0) {
      await sleep(100 * Math.pow(2, 3 - retries))
      return move<T>(from, to, retries - 1)
    }
    throw err
  }
}`},
	})
	run(t, ".tsx", []sample{
		{"inside a component", "loop 3 constant", `
export const C: React.FC<Props> = ({ id }: Props) => {
  const load = async () => {
    for (let i = 0; i < 3; i++) {
      try { return await api.fetch(id) } catch (e) { await delay(1000) }
    }
  }
  return <div onClick={() => load()}>{id}</div>
}`},
	})
}

func TestScriptLibraries(t *testing.T) {
	run(t, ".js", []sample{
		{"p-retry default", "library 11 exponential", "import pRetry from 'p-retry'\nawait pRetry(run)\n"},
		{"p-retry options and another local name", "library 6 exponential+jitter", "import again from 'p-retry'\nawait again(run, { retries: 5, randomize: true })\n"},
		{"async-retry by require", "library 4 exponential+jitter", "const retry = require('async-retry')\nawait retry(f, { retries: 3 })\n"},
		{"retry operation", "library 4 constant", "const retry = require('retry')\nconst o = retry.operation({ retries: 3, factor: 1, minTimeout: 100 })\n"},
		{"axios-retry without delay", "library 4 none", "import axiosRetry from 'axios-retry'\naxiosRetry(axios)\n"},
		{"axios-retry exponential", "library 6 exponential+jitter", "import axiosRetry from 'axios-retry'\naxiosRetry(axios, { retries: 5, retryDelay: axiosRetry.exponentialDelay })\n"},
		{"got limit", "library 6 exponential+jitter", "import got from 'got'\nawait got(url, { retry: { limit: 5 } })\n"},
		{"got off", "library off exponential+jitter", "import got from 'got'\nawait got(url, { retry: 0 })\n"},
		{"cockatiel", "library 4 exponential+jitter", "import { retry, handleAll, ExponentialBackoff } from 'cockatiel'\nconst p = retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() })\n"},
		{"exponential-backoff", "library 10 exponential", "import { backOff } from 'exponential-backoff'\nawait backOff(() => f())\n"},
		{"aws linear closure", "library 10 linear", "const s = new ConfiguredRetryStrategy(10, (attempt) => 100 + attempt * 5000)\n"},
		{"aws client", "library 5 exponential+jitter", "import { SNSClient } from '@aws-sdk/client-sns'\nconst c = new SNSClient({ maxAttempts: 5 })\n"},
		{"kafkajs factor is jitter", "library 9 exponential+jitter", "const { Kafka } = require('kafkajs')\nconst k = new Kafka({ retry: { retries: 8, initialRetryTime: 100 } })\n"},
		{"kafkajs without factor", "library 6 exponential", "const { Kafka } = require('kafkajs')\nconst k = new Kafka({ retry: { factor: 0 } })\n"},
		{"bullmq", "library 3 exponential", "import { Queue } from 'bullmq'\nq.add('a', data, { attempts: 3, backoff: { type: 'exponential', delay: 1000 } })\n"},
		{"ioredis strategy", "library ever linear", "import Redis from 'ioredis'\nconst r = new Redis({ retryStrategy: (times) => times * 50 })\n"},
		{"fs is local", "library 11 linear", "fs.rmSync(dir, { recursive: true, maxRetries: 10, retryDelay: 100 })\n"},
		{"policy object", "setting 6 exponential", "module.exports = { retryPolicy: { enabled: false, retries: 5, delay: 100, maxDelay: 1000, factor: 2 } }\n"},
		{"test runner", "", "import { defineConfig } from '@playwright/test'\nexport default defineConfig({ retries: 2 })\n"},
		{"span tag", "", "span({ options: { timeout: ctx.options.timeout, retries: ctx.options.retries } })\n"},
	})
}
