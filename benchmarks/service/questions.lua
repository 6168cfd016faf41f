-- Posts one question after the other; prints what came back, by status, as one line of JSON.
local bodies, next_body, pause_ms = {}, 0, tonumber(os.getenv("PAUSE_MS") or "0")
local threads = {}

function setup(thread) table.insert(threads, thread) end

function init(args)
  for line in io.lines(os.getenv("BODIES")) do table.insert(bodies, line) end
  next_body = math.random(#bodies)
  answered, refused, other = 0, 0, 0
end

function delay() return pause_ms > 0 and math.random(0, 2 * pause_ms) or 0 end

function request()
  next_body = next_body % #bodies + 1
  return wrk.format("POST", "/rag/query", {["Content-Type"] = "application/json", ["Host"] = "localhost"}, bodies[next_body])
end

function response(status)
  if status == 200 then answered = answered + 1
  elseif status == 429 or status == 503 then refused = refused + 1
  else other = other + 1 end
end

function done(summary, latency)
  local answered, refused, other = 0, 0, 0
  for _, thread in ipairs(threads) do
    answered = answered + thread:get("answered")
    refused = refused + thread:get("refused")
    other = other + thread:get("other")
  end
  io.write(string.format(
    '\nJSON {"answered": %d, "refused": %d, "other": %d, "seconds": %.3f, "p50_ms": %.2f, "p99_ms": %.2f, "socket_errors": %d}\n',
    answered, refused, other, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
