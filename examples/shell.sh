# Shell functions for the engine that `npm start` runs. Source it from the project's folder: . examples/shell.sh
STATE=${STATE_DIR:-.state}
API=http://127.0.0.1:${PORT:-8787}
SANDBOX=http://127.0.0.1:${SANDBOX_PORT:-8788}
KEY=$(cat "$STATE/demo-key")

# api <url> [curl options]: calls the API with the demo tenant's key.
api() { curl -s -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" "$@"; echo; }

# journal <execution>: one line per entry: number, time, kind, and the entry's plain fields.
journal() {
  api "$API/v1/executions/$1/journal?limit=100" | node -e '
    for (const { seq, n, at, kind, event, outcome, ...rest } of JSON.parse(require("fs").readFileSync(0)).data) {
      const fields = Object.entries({ ...(event && { event: event.type }), ...rest, ...(outcome && { outcome: outcome.ok ? "ok" : outcome.error.code }) }).filter(([, value]) => typeof value !== "object");
      console.log(`${seq}.${n} ${at.slice(11, 23)} ${kind.padEnd(15)}`, fields.map(([name, value]) => `${name}=${value}`).join(" "));
    }'
}
