// Tests of the load test's command line, mainly of the check for remote hosts.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, test } from "vitest";
import { isLoopback, optionsOf, Usage } from "../../scripts/load/options.ts";

const root = join(import.meta.dirname, "../..");
const plan = join(root, "examples/load-plan.json");
const folder = mkdtempSync(join(tmpdir(), "load-options-"));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const read = (args: readonly string[], env: Record<string, string> = {}) =>
  optionsOf(args, { STATE_DIR: folder, ...env }, root);

test.each([
  ["http://127.0.0.1:8787", true],
  ["http://127.9.9.9", true],
  ["http://localhost:1", true],
  ["http://[::1]:8787", true],
  ["http://127.0.0.1.example.com", false],
  ["http://localhost.example.com", false],
  ["https://example.com", false],
  ["http://10.0.0.1", false],
])("%s is this machine: %s", (url, yes) => expect(isLoopback(url)).toBe(yes));

it("the engine and the key default to those of npm start", () => {
  write("demo-key", "esk_demo\n");
  expect(read([plan])).toMatchObject({ url: "http://127.0.0.1:8787", key: "esk_demo", json: null });
  expect(read([plan], { PORT: "9000" }).url).toBe("http://127.0.0.1:9000");
  const named = read([plan, "--url", "http://localhost:1/x", "--key", "k", "--json", "o.json"]);
  expect(named).toMatchObject({ url: "http://localhost:1", key: "k", json: "o.json" });
});

test.each([
  ["no plan", [], /npm run load -- /],
  ["two plans", [plan, plan], /npm run load -- /],
  ["an option nobody knows", [plan, "--ulr", "x"], /--ulr/],
  ["a plan that is not there", ["nowhere.json"], /nowhere\.json/],
  ["what is no JSON", [write("broken.json", "{")], /broken\.json.*JSON/],
  ["what is no plan", [write("other.json", '{"v":1,"concurency":3}')], /\/concurency: .*"concurrency"/s],
  ["what is no URL", [plan, "--key", "k", "--url", "here"], /--url/],
  ["an engine elsewhere", [plan, "--key", "k", "--url", "https://example.com"], /--allow-remote/],
  ["a sandbox elsewhere", [plan, "--key", "k", "--sandbox", "https://example.com"], /--allow-remote/],
])("refused: %s", (_fact, args, words) => {
  expect(() => read(args)).toThrow(Usage);
  expect(() => read(args)).toThrow(words);
});

it("another host is accepted with --allow-remote", () => {
  expect(read([plan, "--key", "k", "--url", "https://example.com", "--allow-remote"]).url).toBe("https://example.com");
});
