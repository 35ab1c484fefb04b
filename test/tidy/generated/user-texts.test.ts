// What counts as a text that users see, and what does not.
import { expect, it } from "vitest";
import { textsOf } from "./user-texts.ts";

it.each([
  ["a string with a blank", 'refuse("is missing");', ["is missing"]],
  ["a template, its holes unnamed", "refuse(`${name} is ${status}`);", ["${…} is ${…}"]],
  ["a sum as one text", 'const text = "one " + two + ` and three`;', ["one ${…} and three"]],
  ["a line break as \\n", "const text = `one line\nand another`;", [String.raw`one line\nand another`]],
  ["HTML without its layout", "const page = html`<p>\n    Hello\n  </p>`;", ["<p> Hello </p>"]],
  ["a word that a field shows", 'const about = { title: "Unavailable", type: "none" };', ["Unavailable"]],
  ["a key", 'const tags = { "Dead letters": 1 };', ["Dead letters"]],
  ["a word that a text chooses", 'const text = `the ${few ? "few" : "many"} ones`;', ["the ${…} ones", "few", "many"]],
  ["a word that a sum chooses", 'const text = "the " + (name ?? "none") + " one";', ["the ${…} one", "none"]],
  ["what joins a list", 'names.join(" or ");', [" or "]],
  ["an event of the log", 'log({ level: "warn", event: "gate_not_reached" });', ["gate_not_reached"]],
  ["a name given to a logger", 'this.#log("alarm_not_set", fault);', ["alarm_not_set"]],
  ["the order of the file", 'const one = ["b b"];\nconst two = "a a";', ["b b", "a a"]],
])("%s is", (_what, source, texts) => {
  expect(textsOf(source)).toEqual(texts);
});

it.each([
  ["a comment", "// is missing\nconst one = 1;"],
  ["an import", 'import { one } from "./a file.ts";'],
  ["a single word", 'const status = { kind: "paused", event: "order_paid" };'],
  ["a type", 'type Digest = "other body";'],
  ["SQL", 'exec("SELECT a FROM b"); exec("CREATE TABLE a (b TEXT)"); const filter = "a = ? AND b < ?";'],
  ["SQL with a tag", "const query = sql`a - b`;"],
  ["a list that is split", 'const names = "one two".split(" ");'],
  ["a style", 'const style = "a { color: red; margin: 0; }";'],
  ["a separator", 'names.join(", ");'],
])("%s is not", (_what, source) => {
  expect(textsOf(source)).toEqual([]);
});
